import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { languageName } from '../../../shared/i18n/language-name'
import { localeOfTag } from '../../../shared/i18n/locale-of-tag'
import {
  allLocales,
  isHostName,
  isLocaleCode,
  localeBySegment,
  localeCodes,
} from '../../../shared/i18n/locales'
import { namespacesSource } from '../../../scripts/write-namespaces'
import { namespaces } from '../../../shared/i18n/namespaces'
import { routes } from '../../../shared/routes/table'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

/** Spec 1.2. */
const tags = {
  en: 'en-US',
  zh: 'zh-CN',
  ru: 'ru-RU',
  vn: 'vi-VN',
  es: 'es-ES',
  pt: 'pt-PT',
  tr: 'tr-TR',
  th: 'th-TH',
  fr: 'fr-FR',
  uk: 'uk-UA',
  ko: 'ko-KR',
  hi: 'hi-IN',
  jp: 'ja-JP',
  tc: 'zh-TW',
}

const read = (locale: string, namespace: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, 'locales', locale, `${namespace}.json`), 'utf8')) as Record<
    string,
    unknown
  >
const keysOf = (value: Record<string, unknown>, prefix = ''): string[] =>
  Object.entries(value)
    .flatMap(([key, inner]) =>
      inner && typeof inner === 'object'
        ? keysOf(inner as Record<string, unknown>, `${prefix}${key}.`)
        : [prefix + key],
    )
    .sort()

describe('the languages', () => {
  it('are the fourteen of the specification, with their tags', () => {
    expect(Object.fromEntries(allLocales.map(({ code, language }) => [code, language]))).toEqual(
      tags,
    )
  })

  it('have every field of the specification', () => {
    for (const locale of allLocales)
      for (const field of [
        'language',
        'name',
        'value',
        'code',
        'domain',
        'iso',
        'text',
        'lang',
      ] as const)
        expect(locale[field]).toMatch(/./)
  })

  it('use no prefix in English, Chinese and Russian, and their code elsewhere', () => {
    for (const { code, prefix } of allLocales)
      expect(prefix).toBe(['en', 'zh', 'ru'].includes(code) ? '' : `/${code}`)
  })

  it('have the fallbacks of the specification', () => {
    for (const { code, fallback } of allLocales)
      expect(fallback).toEqual(
        code === 'en' ? ['en'] : code === 'tc' ? ['tc', 'zh', 'en'] : [code, 'en'],
      )
  })

  it('have unique path segments, and none that is a route', () => {
    expect(localeBySegment.size).toBe(
      localeCodes.length + allLocales.flatMap(({ aliases }) => aliases).length,
    )
    for (const segment of localeBySegment.keys())
      expect(routes.some((route) => route.pattern === `/${segment}`)).toBe(false)
  })
})

describe('a language', () => {
  it.each([
    ['en', 'en'],
    ['pt-BR', 'pt'],
    ['VI-vn', 'vn'],
    ['ja', 'jp'],
    ['zh', 'zh'],
    ['zh-Hans-SG', 'zh'],
    ['zh-Hans-TW', 'zh'],
    ['zh-hans-hk', 'zh'],
    ['zh-TW', 'tc'],
    ['zh-hk', 'tc'],
    ['zh-MO', 'tc'],
    ['zh-Hant-CN', 'tc'],
    ['es-TW', 'es'],
    ['tw', null],
    ['sv-SE', null],
    ['', null],
  ])('is found by its tag: %s is %s', (tag, expected) => {
    expect(localeOfTag(tag)).toBe(expected)
  })

  it.each([
    ['en', 'en', 'English'],
    ['en', 'th', 'อังกฤษ'],
    ['en', 'vn', 'tiếng Anh'],
    ['vn', 'vn', 'tiếng Việt'],
    ['vn', 'en', 'Vietnamese'],
    ['zh', 'en', 'Simplified Chinese'],
    ['tc', 'en', 'Traditional Chinese'],
    ['tc', 'tc', '繁體中文'],
    ['pt', 'es', 'portugués'],
  ] as const)('has a name in other languages: %s in %s is %s', (locale, inLocale, expected) => {
    expect(languageName(locale, inLocale)).toBe(expected)
  })

  it('and a host are told from other values', () => {
    expect(['en', 'ru', 'es', 'EN', ''].map(isHostName)).toEqual([true, true, false, false, false])
    expect(['es', 'vi', 'toString', undefined, ['es']].map(isLocaleCode)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('the texts', () => {
  it.each(namespaces.map((namespace) => [namespace]))(
    '%s has the same keys in English and Chinese',
    (namespace) => {
      const english = read('en', namespace)
      const plain = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '')
      const unique = (keys: string[]): string[] => [...new Set(keys.map(plain))]
      expect(unique(keysOf(read('zh', namespace)))).toEqual(unique(keysOf(english)))
    },
  )

  it('have generated namespaces and types that are current', () =>
    expect(readFileSync(join(root, 'shared/i18n/generated-namespaces.ts'), 'utf8')).toBe(
      namespacesSource(root),
    ))

  it('are not in a file whose name could not be a type', () => {
    const folder = temporaryFolder('namespaces')
    mkdirSync(join(folder, 'locales', 'en'), { recursive: true })
    writeFileSync(join(folder, 'locales', 'en', 'Big_Page.json'), '{}')
    expect(() => namespacesSource(folder)).toThrow(
      'locales/en/Big_Page.json: use lower-case words with hyphens',
    )
  })

  it('are in files of known namespaces', () => {
    for (const locale of readdirSync(join(root, 'locales'), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory(),
    )) {
      for (const file of readdirSync(join(root, 'locales', locale.name)).filter(
        (name) => !name.startsWith('.'),
      ))
        expect([...namespaces].map((name) => `${name}.json`)).toContain(file)
    }
  })

  it('never name the brand', () => {
    const brand =
      /^brand: (.+)$/m.exec(readFileSync(join(root, 'content', 'site.yaml'), 'utf8'))?.[1] ?? ''
    expect(brand).not.toBe('')
    for (const folder of ['locales', 'content', 'client', 'server', 'shared']) {
      for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
        if (!/\.(json|md|tsx?|css)$/.test(path)) continue
        const text = readFileSync(join(root, folder, path), 'utf8')
        expect({ path, named: text.includes(brand) }).toEqual({ path, named: false })
      }
    }
  })
})
