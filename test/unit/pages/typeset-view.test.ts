import { describe, expect, it } from '@jest/globals'
import { typesetData, typesetTexts, typesetView } from '../../../server/pages/typeset-view'
import { translatorFor } from '../../../shared/i18n/translate'
import type { PageView } from '../../../shared/view'

/** `~` is a no-break space, `+` a word joiner. */
const shown = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll('\u00a0', '~').replaceAll('\u2060', '+'))

// The cast: only these fields are read.
const viewOf = (locale: string, texts: object, data: object): PageView =>
  ({ locale, texts, data }) as unknown as PageView

describe('texts of the interface', () => {
  it('have no-break spaces, also in lists, and plain metadata', () => {
    const texts = {
      one: 'Вход в {{brand}}',
      list: [{ title: 'Профили и прокси' }, 'Имя и пароль'],
      seo: { title: 'Вход в профиль' },
    }
    expect(shown(typesetTexts(texts, 'ru'))).toEqual({
      one: 'Вход в~{{brand}}',
      list: [{ title: 'Профили и~прокси' }, 'Имя и~пароль'],
      seo: { title: 'Вход в профиль' },
    })
  })

  it('are the same object for all pages, until content changes', () => {
    const texts = { call: { title: '分享链接', text: '分享' } }
    const first = typesetTexts(texts, 'zh')
    expect(shown(first)).toEqual({ call: { title: '分+享链+接', text: '分享' } })
    expect(typesetTexts(texts, 'zh')).toBe(first)
    expect(typesetTexts({ ...texts }, 'zh')).not.toBe(first)
  })

  it.each([
    ['ru', '{{count}} результатов', '5~результатов'],
    ['zh', '共 {{count}} 个', '共 5~个'],
    ['jp', '{{count}}個', '5+個'],
    ['th', 'อ่าน {{count}} นาที', 'อ่าน 5~นาที'],
    ['tr', 'Yıllık: {{count}} ay', 'Yıllık: 5~ay'],
  ] as const)('keep a number that is set into them with its noun: %s', (locale, text, expected) => {
    const shell = typesetTexts({ text }, locale)
    const t = translatorFor(locale, { shell }, 'Brand').t as unknown as (
      key: string,
      values: object,
    ) => string
    expect(shown(t('text', { count: 5 }))).toBe(expected)
  })
})

describe('data of a page', () => {
  it('has no-break spaces in what is shown as a title or a sentence', () => {
    const data = {
      title: 'Профили и прокси',
      lead: 'Вход в профиль',
      html: '<h2 id="вход-в-профиль">',
      date: { day: '2026-11-21', text: '21 ноября' },
      category: { id: 'a', label: 'Команда и доступ' },
      tags: [{ id: 'b', label: 'Имя и пароль' }],
      items: [{ highlights: ['Вход в профиль'], path: '/вход в' }],
      none: null,
      count: 3,
    }
    expect(shown(typesetData(data))).toEqual({
      ...data,
      title: 'Профили и~прокси',
      lead: 'Вход в~профиль',
      date: { day: '2026-11-21', text: '21~ноября' },
      category: { id: 'a', label: 'Команда и~доступ' },
      items: [{ highlights: ['Вход в~профиль'], path: '/вход в' }],
    })
  })

  it('has joined Chinese titles on landing pages, and the view for the head stays plain', () => {
    const view = viewOf('tc', { landing: {} }, { title: '分享連結' })
    expect(shown(typesetView(view).data)).toEqual({ title: '分+享連+結' })
    expect(view.data).toEqual({ title: '分享連結' })
  })

  it('has the Chinese titles of articles as they were written', () => {
    const view = viewOf('zh', { article: {} }, { title: '分享链接，15 分钟' })
    expect(shown(typesetView(view).data)).toEqual({ title: '分享链接，15~分钟' })
  })
})
