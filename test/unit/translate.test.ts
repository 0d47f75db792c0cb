import { describe, expect, it } from '@jest/globals'
import { createTranslator } from '../../shared/i18n/translate'

const texts = { shell: { hello: 'Hello {{name}}', plain: 'Welcome to {{brand}}', list: ['one {{brand}}', 'two'], files_one: '{{count}} file', files_other: '{{count}} files' } }
type Give = (key: string, values?: object) => unknown

/** `t` of a page; short words are tied to the next by spaces that do not break, which are shown here as plain ones. */
function translator(brand = 'Site', of = texts): Give {
  const t = createTranslator('en', of, brand).getFixedT(null, 'shell') as unknown as Give
  return (key, values) => {
    const text = values ? t(key, values) : t(key)
    return typeof text === 'string' ? text.replaceAll('\u00a0', ' ') : text
  }
}

describe('createTranslator', () => {
  it('gives each value its own text, however often it was asked for another', () => {
    const t = translator()
    for (let round = 0; round < 2; round += 1) {
      expect([t('hello', { name: 'Ann' }), t('hello', { name: 'Bo' }), t('files', { count: 1 }), t('files', { count: 2 })]).toEqual(['Hello Ann', 'Hello Bo', '1 file', '2 files'])
    }
  })

  it('shows another brand, and other texts of the same keys, as soon as they are there', () => {
    expect(translator()('plain')).toBe('Welcome to Site')
    expect(translator('Other')('plain')).toBe('Welcome to Other')
    expect(translator()('plain')).toBe('Welcome to Site')
    expect(translator('Site', { shell: { ...texts.shell, plain: 'Changed' } })('plain')).toBe('Changed')
  })

  it('does not mix languages that share a text', () => {
    const shared = { shell: { files_one: '{{count}} файл', files_few: '{{count}} файла', files_many: '{{count}} файлов', files_other: '{{count}} файла' } }
    const count = (locale: 'en' | 'ru') => (createTranslator(locale, shared, 'Site').getFixedT(null, 'shell') as unknown as Give)('files', { count: 5 })
    expect([count('ru'), count('en'), count('ru')].map((text) => String(text).replaceAll('\u00a0', ' '))).toEqual(['5 файлов', '5 файла', '5 файлов'])
  })

  it('gives lists that nobody can change for the next page', () => {
    const list = translator()('list', { returnObjects: true }) as string[]
    expect(list).toHaveLength(2)
    expect(() => list.push('three')).toThrow(TypeError)
    expect(translator()('list', { returnObjects: true })).toHaveLength(2)
  })

  it('remembers no more than it has room for, and still answers', () => {
    const t = translator()
    for (let number = 0; number < 5000; number += 1) expect(t('hello', { name: `n${number}` })).toBe(`Hello n${number}`)
    expect(t('hello', { name: 'x'.repeat(1000) })).toBe(`Hello ${'x'.repeat(1000)}`)
  })

  it('says what components ask of it before they ask for a text', () => {
    const { language, isInitialized, hasLoadedNamespace } = createTranslator('th', texts, 'Site')
    expect([language, isInitialized, hasLoadedNamespace('shell')]).toEqual(['th-TH', true, true])
  })
})
