import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { i18n as I18n } from 'i18next'
import { createBrowserTranslator } from '../../../client/browser-translator'
import { baseOf, pluralKey } from '../../../server/content/translations/compare'
import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import { namespaces } from '../../../shared/i18n/namespaces'
import { translatorFor } from '../../../shared/i18n/translate'
import { root } from '../../../testing/root'

type Translate = (key: string, values?: object) => unknown
type Texts = Record<string, unknown>

const textsIn = (locale: LocaleCode): Record<string, Texts> =>
  Object.fromEntries(
    namespaces.map((name) => [
      name,
      JSON.parse(readFileSync(join(root, 'locales', locale, `${name}.json`), 'utf8')) as Texts,
    ]),
  )

/** Keys of all texts and groups of texts. */
const keysOf = (value: unknown, prefix = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) => [
        prefix + name,
        ...keysOf(part, `${prefix}${name}.`),
      ])
    : []

const translateIn = (translator: I18n, namespace: string): Translate =>
  // Cast: the keys are those of a file, which the declared type does not know.
  translator.getFixedT(null, namespace as 'shell') as unknown as Translate

/** The texts that i18next and the browser's translator return for a key. */
function both(
  texts: Readonly<Record<string, Texts>>,
  locale: LocaleCode = 'en',
  namespace = 'shell',
): (key: string, values?: object) => [unknown, unknown] {
  const server = translateIn(translatorFor(locale, texts, 'Brand'), namespace)
  const browser = translateIn(createBrowserTranslator(locale, texts, 'Brand'), namespace)
  return (key, values) => [server(key, values), browser(key, values)]
}

/** For all placeholders of the texts. Words of several alphabets, and signs of templates. */
const valueSets: readonly object[] = [
  { amount: '1 000', author: 'А и Б', date: '1 мая', email: 'a@b.example', tags: 'x, y' },
  { category: 'ผ่านพร็อกซี', code: '{{brand}}', max: 5, min: 0, minutes: 5, months: 10 },
  { name: '$& $1', page: 2, path: '/a<b>', percent: 10, product: 'Для', version: '1.2.0' },
  { plan: 'и', price: '$9', publisher: 'Über', query: 'для или', source: 'อังกฤษ' },
]
const everyValue = Object.assign({}, ...valueSets) as object
const counts = [0, 1, 2, 3, 5, 11, 21, 22, 100, 1.5]

describe('the translator of the browser', () => {
  it.each(localeCodes)('gives the texts of i18next in %s', (locale) => {
    const texts = textsIn(locale)
    // Compared once at the end: 30,000 calls of `expect` take seconds.
    const fromServer: Record<string, unknown> = {}
    const fromBrowser: Record<string, unknown> = {}
    for (const [namespace, group] of Object.entries(texts)) {
      const translate = both(texts, locale, namespace)
      const call = (key: string, values: object, name: string): void => {
        const [server, browser] = translate(key, values)
        fromServer[`${namespace}:${key}, ${name}`] = server
        fromBrowser[`${namespace}:${key}, ${name}`] = browser
      }
      for (const key of keysOf(group)) {
        call(key, { returnObjects: true }, 'no values')
        call(key, { returnObjects: true, count: 2, ...everyValue }, 'all values')
      }
      for (const key of keysOf(group).filter((name) => pluralKey.test(name)))
        for (const count of counts) call(baseOf(key), { count }, `${count} things`)
    }
    expect(fromBrowser).toEqual(fromServer)
  })

  it('chooses plural forms like i18next in every language', () => {
    const shell = Object.fromEntries(
      ['one', 'two', 'few', 'many', 'other'].map((form) => [`n_${form}`, `${form} {{count}}`]),
    )
    for (const locale of localeCodes) {
      const translate = both({ shell }, locale)
      for (const count of counts) {
        const [server, browser] = translate('n', { count })
        expect([locale, count, browser]).toEqual([locale, count, server])
      }
    }
  })

  it('gives the key of a missing text, and a text without plural forms for every number', () => {
    const translate = both({ shell: { plain: 'Text {{count}} of {{missing}}', group: { a: 'A' } } })
    for (const [key, values] of [
      ['missing', undefined],
      ['plain.deeper.still', undefined],
      ['group.b', { count: 1 }],
      ['plain', { count: 1 }],
      ['group.a', undefined],
    ] as const) {
      const [server, browser] = translate(key, values)
      expect([key, browser]).toEqual([key, server])
    }
  })

  it('gives the same function and the same list each time, because effects depend on them', () => {
    const translator = createBrowserTranslator('en', { shell: { list: [{ a: 'b' }] } }, 'Brand')
    const translate = translateIn(translator, 'shell')
    expect(translateIn(translator, 'shell')).toBe(translate)
    const list = translate('list', { returnObjects: true })
    expect(list).toEqual([{ a: 'b' }])
    expect(translate('list', { returnObjects: true })).toBe(list)
  })
})
