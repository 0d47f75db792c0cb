import { describe, expect, it } from '@jest/globals'
import type { i18n as I18n } from 'i18next'
import { memoizeTranslations } from '../../../shared/i18n/memoize-translations'
import { translatorFor } from '../../../shared/i18n/translate'

const texts = {
  shell: {
    hello: 'Hello {{name}}',
    plain: 'Welcome to {{brand}}',
    list: ['one {{brand}}', 'two'],
    files_one: '{{count}} file',
    files_other: '{{count}} files',
  },
}
type Give = (key: string, values?: object) => unknown

/** `t` of a page, with plain spaces instead of the no-break spaces that it inserts. */
function translator(brand = 'Site', of = texts): Give {
  const t = translatorFor('en', of, brand).getFixedT(null, 'shell') as unknown as Give
  return (key, values) => {
    const text = values ? t(key, values) : t(key)
    return typeof text === 'string' ? text.replaceAll('\u00a0', ' ') : text
  }
}

describe('translatorFor', () => {
  it('keeps texts with different values apart', () => {
    const t = translator()
    for (let round = 0; round < 2; round += 1) {
      expect([
        t('hello', { name: 'Ann' }),
        t('hello', { name: 'Bo' }),
        t('files', { count: 1 }),
        t('files', { count: 2 }),
      ]).toEqual(['Hello Ann', 'Hello Bo', '1 file', '2 files'])
    }
  })

  it('shows a changed brand and changed texts', () => {
    expect(translator()('plain')).toBe('Welcome to Site')
    expect(translator('Other')('plain')).toBe('Welcome to Other')
    expect(translator()('plain')).toBe('Welcome to Site')
    expect(translator('Site', { shell: { ...texts.shell, plain: 'Changed' } })('plain')).toBe(
      'Changed',
    )
  })

  it('does not mix languages that share a text', () => {
    const shared = {
      shell: {
        files_one: '{{count}} файл',
        files_few: '{{count}} файла',
        files_many: '{{count}} файлов',
        files_other: '{{count}} файла',
      },
    }
    const count = (locale: 'en' | 'ru') =>
      (translatorFor(locale, shared, 'Site').getFixedT(null, 'shell') as unknown as Give)('files', {
        count: 5,
      })
    expect(
      [count('ru'), count('en'), count('ru')].map((text) => String(text).replaceAll('\u00a0', ' ')),
    ).toEqual(['5 файлов', '5 файла', '5 файлов'])
  })

  it('returns frozen lists, because pages share them', () => {
    const list = translator()('list', { returnObjects: true }) as string[]
    expect(list).toHaveLength(2)
    expect(() => list.push('three')).toThrow(TypeError)
    expect(translator()('list', { returnObjects: true })).toHaveLength(2)
  })

  it('memoizes a limited number of texts', () => {
    const t = translator()
    for (let number = 0; number < 5000; number += 1)
      expect(t('hello', { name: `n${number}` })).toBe(`Hello n${number}`)
    expect(t('hello', { name: 'x'.repeat(1000) })).toBe(`Hello ${'x'.repeat(1000)}`)
  })

  it('is one instance for all pages of a language, until its texts change', () => {
    const first = translatorFor('th', texts, 'Site')
    expect([first.language, first.isInitialized, first.hasLoadedNamespace('shell')]).toEqual([
      'th-TH',
      true,
      true,
    ])
    const more = translatorFor('th', { ...texts, faq: { title: 'Questions' } }, 'Site')
    expect(more).toBe(first)
    expect((more.getFixedT(null, 'faq') as unknown as Give)('title')).toBe('Questions')
    const changed = translatorFor('th', { shell: { ...texts.shell } }, 'Site')
    expect(changed).not.toBe(first)
    const faq = {}
    const other = translatorFor('th', { faq, shell: { ...texts.shell } }, 'Site')
    expect(translatorFor('th', { faq, shell: texts.shell }, 'Site')).not.toBe(other)
    expect(translatorFor('en', texts, 'Site')).not.toBe(translatorFor('vn', texts, 'Site'))
  })

  it('uses the namespace of the shell by default, and leaves escaping to React', () => {
    const t = translatorFor('en', texts, 'Escaped').t as unknown as Give
    expect(t('hello', { name: '<b>' })).toBe('Hello <b>')
  })

  it('does not memoize several keys, another language, a prefix or an unknown key', () => {
    const instance = translatorFor(
      'en',
      { shell: { ...texts.shell, deep: { word: 'deep word' } } },
      'Site',
    )
    const getFixedT = instance.getFixedT.bind(instance) as unknown as (
      ...given: unknown[]
    ) => (key: unknown, values?: object) => unknown
    const t = getFixedT(null, 'shell')
    for (let round = 0; round < 2; round += 1) {
      expect([
        t(['missing', 'plain']),
        t('missing'),
        t('missing', { defaultValue: 'else' }),
        t('hello', { name: 'Ann', nested: {} }),
      ]).toEqual(['Welcome to Site', 'missing', 'else', 'Hello Ann'])
    }
    expect(getFixedT(null, 'shell', 'deep')('word')).toBe('deep word')
    expect(getFixedT('th-TH', 'shell')('plain')).toBe('plain')
    expect(getFixedT(null, ['other', 'shell'])('other:x')).toBe('x')
  })
})

describe('memoized translations', () => {
  /** An instance that counts the calls of its `t`, and texts that show what `t` was called with. */
  function counting() {
    let calls = 0
    const instance = {
      language: 'en-US',
      getFixedT:
        (...fixed: unknown[]) =>
        (...args: unknown[]) => {
          calls += 1
          return { text: JSON.stringify([fixed, args]), deep: { list: [{}], none: null } }
        },
    }
    memoizeTranslations(instance as unknown as I18n)
    const getFixedT = instance.getFixedT as (
      ...fixed: unknown[]
    ) => (...args: unknown[]) => { text: string; deep: { list: object[] } }
    const callsOf = (run: () => void): number => {
      const before = calls
      run()
      return calls - before
    }
    return { getFixedT, callsOf }
  }

  it.each<[string, ...unknown[]]>([
    ['a key', 'a'],
    ['a key with values', 'a', { name: 'x', count: 2, isNew: true }],
    ['160 characters of key and values', 'a'.repeat(149), { b: '12' }],
  ])('looks up %s once', (_name, ...args) => {
    const { getFixedT, callsOf } = counting()
    const t = getFixedT(null, 'shell')
    const first = t(...args)
    expect(first.text).toBe(JSON.stringify([[null, 'shell'], args]))
    expect(callsOf(() => expect(t(...args)).toBe(first))).toBe(0)
    expect(callsOf(() => expect(t('other')).not.toBe(first))).toBe(1)
    expect([first, first.deep, first.deep.list, first.deep.list[0]].every(Object.isFrozen)).toBe(
      true,
    )
  })

  it.each<[string, ...unknown[]]>([
    ['a list of keys', ['a', 'b']],
    ['a fallback with values', 'a', 'fallback', {}],
    ['values and more', 'a', { name: 'x' }, {}],
    ['a fallback', 'a', 'fallback'],
    ['null', 'a', null],
    ['values with an object', 'a', { name: 'x', more: {} }],
    ['values without text', 'a', { name: undefined }],
    ['161 characters of key and values', 'a'.repeat(150), { b: '12' }],
  ])('looks up %s every time', (_name, ...args) => {
    const { getFixedT, callsOf } = counting()
    const t = getFixedT(null, 'shell')
    expect(callsOf(() => [t(...args), t(...args)])).toBe(2)
    expect(t(...args).text).toBe(JSON.stringify([[null, 'shell'], args]))
    expect(Object.isFrozen(t(...args))).toBe(false)
  })

  it('holds 4096 texts of a namespace, then starts again', () => {
    const { getFixedT, callsOf } = counting()
    const t = getFixedT(null, 'shell')
    for (let number = 0; number < 4096; number += 1) t(`key-${number}`)
    expect(callsOf(() => [t('key-0'), t('key-4095')])).toBe(0)
    t('one more')
    expect(callsOf(() => [t('one more'), t('key-0')])).toBe(1)
  })

  it('are shared by all who ask for a namespace in the language of the instance', () => {
    const { getFixedT } = counting()
    const t = getFixedT(null, 'shell')
    expect([getFixedT(undefined, 'shell'), getFixedT('en-US', 'shell')]).toEqual([t, t])
    expect(getFixedT(null, 'faq')).not.toBe(t)
  })

  it.each([
    ['another language', 'th-TH', 'shell'],
    ['several namespaces', null, ['shell', 'faq']],
    ['a prefix of keys', null, 'shell', 'deep'],
  ])('leave out %s', (_name, ...fixed) => {
    const { getFixedT, callsOf } = counting()
    const t = getFixedT(...fixed)
    expect(callsOf(() => [t('a'), t('a')])).toBe(2)
    expect(t('a').text).toBe(JSON.stringify([fixed, ['a']]))
  })
})
