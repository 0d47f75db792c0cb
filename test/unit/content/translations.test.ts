import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  compareTexts,
  extractNumbers,
  pluralForms,
  englishTextHash,
} from '../../../server/content/translations/compare'
import { flatten } from '../../../server/content/translations/flatten'
import { readGlossary } from '../../../server/content/translations/glossary'
import { OperatorError } from '../../../server/errors'
import { acceptTexts, checkContent, checkTexts } from '../../../scripts/i18n/project'
import { namespaces } from '../../../shared/i18n/namespaces'
import { nav } from '../../../shared/routes/nav'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

const glossary = {
  terms: [
    { term: 'RPA', also: {} },
    { term: 'Team', also: { th: ['ทีม'] } },
  ],
  same: { fr: ['same'] },
}
const source = {
  greeting: 'Hello {{name}}',
  price: 'From 9 dollars for 1,000 profiles',
  link: 'Read <1>more</1>',
  rpa: 'The RPA editor',
  items_one: '{{count}} item',
  items_other: '{{count}} items',
  same: 'Documentation',
}
const hashes = Object.fromEntries(
  Object.entries(source).map(([key, text]) => [key, englishTextHash(text)]),
)
const russian = {
  greeting: 'Привет, {{name}}',
  price: 'От 9 долларов за 1 000 профилей',
  link: 'Читать <1>дальше</1>',
  rpa: 'Редактор RPA',
  items_one: '{{count}} вещь',
  items_few: '{{count}} вещи',
  items_many: '{{count}} вещей',
  items_other: '{{count}} вещи',
  same: 'Документация',
}
const ruHashes = {
  ...hashes,
  items_few: englishTextHash(source.items_other),
  items_many: englishTextHash(source.items_other),
  items_one: englishTextHash(source.items_other),
}
const check = (target: Record<string, string>, known: Record<string, string> = ruHashes) =>
  compareTexts(source, target, 'ru', glossary, known).map(({ kind, key }) => `${kind} ${key}`)

it.each([
  ['is no YAML', 'terms: [', /glossary\.yaml: YAMLParseError/],
  ['lacks a field', 'names: []', /glossary\.yaml: .*expected array[^]*terms/],
])('a glossary that %s is an error for the operator', (_, text, message) => {
  const file = join(temporaryFolder('glossary'), 'glossary.yaml')
  writeFileSync(file, text)
  expect(() => readGlossary(file)).toThrow(OperatorError)
  expect(() => readGlossary(file)).toThrow(message)
})

describe('the check of translations', () => {
  it('has no findings for a correct translation', () => {
    expect(check(russian)).toEqual([])
  })

  it.each([
    [
      'a missing key',
      (texts: Record<string, string>) => delete texts['greeting'],
      ['missing greeting'],
    ],
    [
      'a missing plural form',
      (texts: Record<string, string>) => delete texts['items_few'],
      ['missing items_few'],
    ],
    [
      'a dropped placeholder',
      (texts: Record<string, string>) => (texts['greeting'] = 'Привет'),
      ['placeholder greeting'],
    ],
    [
      'a changed price',
      (texts: Record<string, string>) => (texts['price'] = 'От 8 долларов за 1 000 профилей'),
      ['number price'],
    ],
    [
      'dropped markup',
      (texts: Record<string, string>) => (texts['link'] = 'Читать дальше'),
      ['markup link'],
    ],
    [
      'a translated term',
      (texts: Record<string, string>) => (texts['rpa'] = 'Редактор процессов'),
      ['glossary rpa'],
    ],
    [
      'a text left in English',
      (texts: Record<string, string>) => (texts['same'] = 'Documentation'),
      ['untranslated same'],
    ],
    [
      'a key that the source lacks',
      (texts: Record<string, string>) => (texts['more'] = 'ещё'),
      ['extra more'],
    ],
    ['an empty text', (texts: Record<string, string>) => (texts['rpa'] = ' '), ['missing rpa']],
  ])('finds %s', (_name, damage, expected) => {
    const texts = { ...russian }
    damage(texts)
    expect(check(texts)).toEqual(expected)
  })

  it('finds a text whose source has changed since', () => {
    expect(check(russian, { ...ruHashes, link: englishTextHash('Read less') })).toEqual([
      'outdated link',
    ])
    expect(check(russian, {}).filter((finding) => finding.startsWith('outdated')).length).toBe(
      Object.keys(russian).length,
    )
  })

  it('reads the number formats of all languages', () => {
    for (const text of ['1,000 and 5', '1.000 5', '1 000 5', '१००० और ५', '๑๐๐๐ ๕', '１０００、５'])
      expect(extractNumbers(text)).toEqual(['1000', '5'])
  })

  it('requires four plural forms in Russian and Ukrainian, one in Thai', () => {
    expect([pluralForms('ru').sort(), pluralForms('uk').sort(), pluralForms('th')]).toEqual([
      ['few', 'many', 'one', 'other'],
      ['few', 'many', 'one', 'other'],
      ['other'],
    ])
  })
})

describe('Thai texts', () => {
  const files = [
    ['locales/th', /\.json$/],
    ['content', /\bth\.md$/],
  ] as const

  it('have a no-break space before ๆ, so that no line begins with it', () => {
    const paths = files.flatMap(([folder, name]) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => name.test(path))
        .map((path) => join(folder, path)),
    )
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter((path) => readFileSync(join(root, path), 'utf8').includes(' ๆ'))).toEqual(
      [],
    )
  })
})

describe('the translations of this site', () => {
  it('are complete and up to date, with the placeholders, numbers and terms of their source', () => {
    const faults = checkTexts(root).flatMap(({ locale, part, findings }) =>
      findings.map(({ kind, key, detail }) => `${locale} ${part}:${key} ${kind}: ${detail}`),
    )
    expect(faults).toEqual([])
  })

  it('of articles keep facts, terms and links of their source, as long as it is not newer', () => {
    expect(
      checkContent(root).flatMap(({ locale, part, findings }) =>
        findings
          .filter(({ kind }) => kind !== 'missing' && kind !== 'outdated')
          .map(({ kind, key, detail }) => `${locale} ${part}/${key} ${kind}: ${detail}`),
      ),
    ).toEqual([])
  })
})

describe('the translations of a project', () => {
  const folder = temporaryFolder('translations')
  const file = (...path: string[]): string => {
    mkdirSync(join(folder, ...path.slice(0, -1)), { recursive: true })
    return join(folder, ...path)
  }
  writeFileSync(file('content', 'glossary.yaml'), 'terms: []\nsame: {}\n')
  const kinds = (reports: ReturnType<typeof checkTexts>): string[] =>
    reports.flatMap(({ locale, findings }) =>
      findings.filter(() => locale === 'ru').map(({ kind, key }) => `${kind} ${key}`),
    )

  it('are current once they are accepted, until the source changes', () => {
    const write = (locale: string, texts: object): void =>
      writeFileSync(file('locales', locale, 'home.json'), JSON.stringify(texts))
    write('en', source)
    write('ru', russian)
    expect(acceptTexts(folder, 'ru')).toBe(Object.keys(russian).length)
    expect(kinds(checkTexts(folder))).toEqual([])
    write('en', { ...source, items_other: '{{count}} things', greeting: 'Hi {{name}}' })
    expect(kinds(checkTexts(folder)).sort()).toEqual([
      'outdated greeting',
      'outdated items_few',
      'outdated items_many',
      'outdated items_one',
      'outdated items_other',
    ])
  })

  it('of an article are outdated as a whole when the source is newer', () => {
    const write = (locale: string, date: string): void =>
      writeFileSync(
        file('content', 'blog', 'a', `${locale}.md`),
        `---\ntitle: A\ndate: ${date}\n---\n`,
      )
    write('en', '2026-11-02')
    write('ru', '2026-11-01')
    expect(kinds(checkContent(folder))).toEqual([expect.stringMatching(/^outdated /)])
  })
})

describe('the keys of the interface', () => {
  const sources = ['client', 'server', 'shared']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.tsx?$/.test(path))
        .map((path) => readFileSync(join(root, folder, path), 'utf8')),
    )
    .join('\n')
  const literals = new Set(
    Array.from(sources.matchAll(/['"`]([\w.-]+)['"`]/g), ([, text = '']) =>
      text.replace(/^\w[\w-]*:/, ''),
    ),
  )
  // Texts that are loaded later are used as `texts.name`.
  for (const [, text = ''] of sources.matchAll(/\btexts\.(\w+)/g)) literals.add(text)
  const prefixes = new Set(
    Array.from(sources.matchAll(/([\w.-]+\.)\$\{/g), ([, text = '']) => text),
  )
  const menu = new Set<string>(
    Object.values(nav)
      .flat()
      .map(({ key }) => key),
  )

  /**
   * A key is used if the code names it or a parent of it (lists, `seo`), or a template starts with
   * it.
   */
  const isUsed = (key: string): boolean => {
    const plain = key.replace(/_(?:one|other)$/, '')
    const above = plain.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))
    return (
      above.some((part) => literals.has(part)) ||
      [...prefixes].some((prefix) => plain.startsWith(prefix)) ||
      menu.has(plain) ||
      plain.startsWith('NAVBAR_')
    )
  }

  // The keys of categories and tags are ids in the content.
  it.each(
    namespaces.filter((namespace) => namespace !== 'categories').map((namespace) => [namespace]),
  )('%s has no unused keys', (namespace) => {
    const keys = Object.keys(
      flatten(JSON.parse(readFileSync(join(root, 'locales', 'en', `${namespace}.json`), 'utf8'))),
    )
    expect(keys.filter((key) => !isUsed(key))).toEqual([])
  })
})
