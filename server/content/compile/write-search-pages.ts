import type { Collection } from '../../../shared/front-matter'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Namespace } from '../../../shared/i18n/namespaces'
import { industries, industrySlug, redirectFor } from '../../../shared/routes/availability'
import type { Params } from '../../../shared/routes/path-of'
import { featureIds, namedPages, navKeyOf, solutionIds } from '../../../shared/routes/nav'
import { routeOf, type RouteId } from '../../../shared/routes/table'
import type { Texts } from '../../../shared/view'
import type { Connection } from '../database'
import { mergeTexts } from '../merge-texts'
import { fillReferences, type References } from '../references'
import { isTextGroup, textAt } from '../text-at'
import { sourceHash } from './compile-article'
import type { Facts } from './compile-article-files'
import { createMeta } from './generation-writer'
import type { Sources } from './source-files'
import {
  createSearchIndexWriter,
  tokenizeFields,
  type SearchIndexWriter,
} from './write-search-index'

type SearchPage = {
  route: RouteId
  params: Params
  collection: Collection
  id: string
  title: string
  description: string
  text: string
}
type ReadTexts = (namespace: Namespace) => Texts
type Statements = ReturnType<typeof prepareStatements>

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return isTextGroup(value) ? Object.values(value).flatMap(stringsIn) : []
}

/** Fills in facts, and removes markup and the values that only a page knows (`{{price}}`). */
const toPlainText = (text: string, references: References): string =>
  fillReferences(text, references)
    .replace(/\{\{[^{}]*\}\}/g, '')
    .replace(/<[^<>]*>/g, '')

/** A page of interface texts only: its name in the menus, its description and its texts. */
function interfacePage(route: RouteId, menuKey: string, read: ReadTexts): SearchPage {
  const namespace = routeOf(route).texts[0] ?? 'shell'
  const texts = read(namespace)
  const isList = namespace === 'lists'
  const { seo: _seo, ...shown } = texts
  const seoPath = isList ? ['seo', route] : ['seo']
  return {
    route,
    params: {},
    collection: 'pages',
    id: route,
    title: textAt(read('menus'), menuKey),
    description: textAt(texts, ...seoPath, 'description'),
    text: [textAt(texts, ...seoPath, 'keywords'), ...stringsIn(isList ? texts[route] : shown)].join(
      '\n',
    ),
  }
}

/**
 * Landing pages by their names in the menus. Menus are translated where the pages are not yet, so
 * these names find them in every language.
 */
function landingPages(locale: LocaleCode, read: ReadTexts): SearchPage[] {
  const menuName = (id: string): string => textAt(read('menus'), navKeyOf(id))
  const noText = { description: '', text: '' }
  return [
    ...solutionIds.map((id): SearchPage => ({
      route: 'solution',
      params: { id },
      collection: 'solutions',
      id,
      title: menuName(id),
      ...noText,
    })),
    ...featureIds.map((id): SearchPage => ({
      route: 'single',
      params: { html: id },
      collection: 'features',
      id,
      title: menuName(id),
      ...noText,
    })),
    ...industries.flatMap(({ id }): SearchPage[] => {
      const slug = industrySlug(id, locale)
      if (!slug) return []
      const title = textAt(read('categories'), `industry_${id}`)
      const params = { html: slug }
      return [{ route: 'single', params, collection: 'industries', id, title, ...noText }]
    }),
  ]
}

const prepareStatements = (db: Connection) => ({
  text: db.prepare<[string, string], { json: string }>(
    'SELECT json FROM texts WHERE locale = ? AND namespace = ?',
  ),
  keys: db.prepare<[string], { key: number }>('SELECT key FROM search_pages WHERE locale = ?'),
  remove: db.prepare('DELETE FROM search_pages WHERE locale = ?'),
  insert: db.prepare(
    `INSERT INTO search_pages (locale, route, params, collection, id, title, description, text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
})

/** Texts of a language, completed from its fallbacks. */
const textReader =
  ({ text }: Statements, locale: LocaleCode): ReadTexts =>
  (namespace) =>
    locales[locale].fallback.reduceRight<Texts>(
      (fallback, code) =>
        // The cast: `compile-texts.ts` stores JSON objects only.
        mergeTexts(fallback, JSON.parse(text.get(code, namespace)?.json ?? '{}') as Texts),
      {},
    )

function writeLocale(
  statements: Statements,
  search: SearchIndexWriter,
  locale: LocaleCode,
  references: References,
): void {
  for (const { key } of statements.keys.all(locale)) search.remove(-key, locale)
  statements.remove.run(locale)
  const read = textReader(statements, locale)
  const pages = [
    ...namedPages.map(({ route, key }) => interfacePage(route, key, read)),
    ...landingPages(locale, read),
  ]
  for (const { route, params, collection, id, ...page } of pages) {
    if (page.title === '' || redirectFor({ route, params }, locale)) continue
    const title = toPlainText(page.title, references)
    const description = toPlainText(page.description, references)
    const text = toPlainText(page.text, references)
    const row = [locale, route, JSON.stringify(params), collection, id, title, description, text]
    const key = Number(statements.insert.run(row).lastInsertRowid)
    const headings = id.replaceAll('-', ' ')
    const fields = { title, headings, summary: description, body: text, collection }
    search.save(-key, locale, tokenizeFields(fields, locale))
  }
}

/**
 * Keeps the pages that have no Markdown file in the full-text index. The pages of a language are
 * written again when its texts, those of its fallbacks, the facts, the compiler or the rules of
 * URLs have changed.
 */
export function createSearchPageWriter(
  db: Connection,
  { compiler, routes }: Pick<Sources, 'compiler' | 'routes'>,
) {
  const meta = createMeta(db)
  const statements = prepareStatements(db)
  const search = createSearchIndexWriter(db)
  return (facts: Facts, changedTags: ReadonlySet<string>): void => {
    const stamp = sourceHash(facts.stamp, compiler + routes)
    const isOutdated = meta.get('pages') !== stamp
    for (const code of localeCodes) {
      const sources = locales[code].fallback
      if (isOutdated || sources.some((source) => changedTags.has(`locale:${source}`)))
        writeLocale(statements, search, code, facts.in(code))
    }
    if (isOutdated) meta.set('pages', stamp)
  }
}
