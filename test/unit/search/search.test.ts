import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createCompiler } from '../../../server/content/compile/compiler'
import { openForWriting, type Connection } from '../../../server/content/database'
import { createSearcher, type SearchRequest } from '../../../server/search/searcher'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { SearchHit, SearchResult } from '../../../shared/search-result'
import { root } from '../../../testing/root'
import { fixtureOf, writeSearchFixtures } from '../../../testing/search-fixtures'
import { temporaryFolder } from '../../../testing/release-with-tests'

const folder = temporaryFolder('search')
let db: Connection
let search: (request: SearchRequest) => SearchResult
beforeAll(() => {
  writeSearchFixtures(folder)
  mkdirSync(join(folder, 'solutions/crypto'), { recursive: true })
  for (const code of ['en', 'fr'])
    copyFileSync(
      join(root, `content/solutions/crypto/${code}.md`),
      join(folder, `solutions/crypto/${code}.md`),
    )
  copyFileSync(join(root, 'content', 'site.yaml'), join(folder, 'site.yaml'))
  db = openForWriting(join(folder, 'content.db'))
  const { problems } = createCompiler(db, {
    content: folder,
    locales: join(root, 'locales'),
    public: join(root, 'public'),
    compiler: 'test',
    routes: 'test',
  })()
  expect(problems).toEqual([])
  search = createSearcher(db)
}, 60_000)
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

const find = (
  query: string,
  locale: LocaleCode = 'en',
  more: Partial<SearchRequest> = {},
): readonly SearchHit[] =>
  search({ query, locale, collection: null, limit: 10, disabledRoutes: [], ...more }).hits
const tables = localeCodes.flatMap((locale) =>
  fixtureOf(locale).queries.map(([query, id]) => ({ locale, query, id })),
)

describe('the article that must be first', () => {
  it('is searched for at least twelve times in every language', () => {
    for (const code of localeCodes)
      expect(tables.filter(({ locale }) => locale === code).length).toBeGreaterThanOrEqual(12)
  })
  it.each(tables)('$locale: $query', ({ locale, query, id }) => {
    const hits = find(query, locale, { collection: 'docs' })
    expect(hits[0]?.url).toBe(`${locales[locale].prefix}/docs/${id}`)
    expect(hits[0]?.foreign).toBeUndefined()
  })
})

describe('an excerpt', () => {
  it.each(tables)('$locale: $query is plain text with marks inside it', ({ locale, query }) => {
    for (const { excerpt, marks } of find(query, locale)) {
      expect(excerpt).not.toMatch(/[\n<>]/)
      expect(excerpt.length).toBeLessThanOrEqual(240)
      let before = 0
      for (const [start, end] of marks) {
        expect(start).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(excerpt.length)
        before = end
      }
    }
  })
  it('marks the found words in their original spelling', () => {
    const marked = (query: string, locale: LocaleCode): string[] =>
      find(query, locale, { collection: 'docs' })
        .slice(0, 1)
        .flatMap(({ excerpt, marks }) => marks.map(([start, end]) => excerpt.slice(start, end)))
    expect(marked('resolucion', 'es')).toEqual(['resolución'])
    expect(marked('BAGLANTI', 'tr')).toEqual(['bağlantı'])
    expect(marked('分辨率', 'zh')).toEqual(['分辨率'])
    expect(marked('typefa', 'en')).toEqual(['typefaces'])
    expect(marked('authentcator', 'en')).toEqual(['authenticator'])
    expect(marked('แบบอักษร', 'th')).toEqual(['แบบอักษร'])
  })
})

describe('what is found', () => {
  it('ranks a title over a text', () => {
    const hits = find('cookies', 'en', { collection: 'docs' })
    expect(hits[0]?.url).toBe('/docs/cookies')
  })
  it('includes interface pages and landing pages by their names in the menus', () => {
    expect(find('pricing')[0]).toMatchObject({ url: '/pricing', collection: 'pages' })
    expect(find('料金', 'jp')[0]).toMatchObject({ url: '/jp/pricing' })
    expect(find('скачат', 'ru').map(({ url }) => url)).toContain('/download')
  })
  it('has the title of a landing page where it is translated, else its name in the menus', () => {
    const [translated] = find('cryptomonnaies', 'fr')
    expect(translated).toMatchObject({
      url: '/fr/solutions/crypto',
      title: expect.stringMatching(/^Crypto.: séparez trésorerie/),
    })
    expect(translated).not.toHaveProperty('foreign')
    expect(translated).not.toHaveProperty('mark')
    expect(find('criptomonedas', 'es')[0]).toMatchObject({
      url: '/es/solutions/crypto',
      title: 'Criptomonedas',
      foreign: 'en',
      mark: 'inglés',
    })
  })
  it('includes only what the language offers', () => {
    for (const [query, locale] of [
      ['blog', 'ru'],
      ['news', 'ru'],
      ['блог', 'ru'],
      ['solutions', 'vn'],
    ] as const) {
      for (const { url } of find(query, locale, { limit: 100 }))
        expect(url).not.toMatch(/^\/(blog|news|guide)|^\/vn\/solutions$/)
    }
    expect(find('Anwendung use cases', 'en').map(({ url }) => url)).not.toContain('/use-cases')
  })
  it('excludes pages that are switched off', () => {
    const urls = (off: SearchRequest['disabledRoutes']): string[] =>
      find('talk to us', 'en', { disabledRoutes: off }).map(({ url }) => url)
    expect(urls([])).toContain('/pre-sales')
    expect(urls(['pre-sales'])).not.toContain('/pre-sales')
  })
  it('is limited, with the total of all hits', () => {
    const { hits, total } = search({
      query: 'proxy',
      locale: 'en',
      collection: null,
      limit: 1,
      disabledRoutes: [],
    })
    expect(hits.length).toBe(1)
    expect(total).toBeGreaterThan(1)
  })
  it('does not change after hostile queries', () => {
    for (const query of [
      '"',
      "'",
      '*',
      'title:',
      'NEAR(a b)',
      'a AND',
      'OR',
      '{title} : x',
      '^proxy"',
      '😀😀',
      '\u0000',
      '%',
      'x'.repeat(200),
      '代'.repeat(200),
      'ก'.repeat(200),
      '\ud800',
      '-- DROP TABLE articles',
      'a b c d e f g h i j k l m n o p q r s t',
    ])
      expect(() => find(query)).not.toThrow()
    expect(find('^proxy"*')[0]?.url).toBe('/docs/proxy')
    expect(find('😀')).toEqual([])
  })
})

describe('a language without a translation', () => {
  it('finds texts of the fallback, marked, after its own texts, and none that are translated', () => {
    db.prepare("UPDATE articles SET live = 0 WHERE locale = 'th' AND id = 'refund'").run()
    const hits = find('credit card', 'th')
    expect(hits[0]).toMatchObject({ url: '/th/docs/refund', foreign: 'en' })
    expect(find('permissions in a team', 'th').every(({ url }) => url !== '/th/docs/roles')).toBe(
      true,
    )
    db.prepare("UPDATE articles SET live = 1 WHERE locale = 'th' AND id = 'refund'").run()
    expect(
      find('credit card', 'th').some(({ url, foreign }) => url === '/th/docs/refund' && foreign),
    ).toBe(false)
  })
})
