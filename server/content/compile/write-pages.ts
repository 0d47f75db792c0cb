import type { Collection } from '../../../shared/content'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Namespace } from '../../../shared/i18n/namespaces'
import { industries, industrySlug, redirectFor } from '../../../shared/routes/availability'
import type { Params } from '../../../shared/routes/match'
import { featureIds, solutionIds } from '../../../shared/routes/nav'
import { plainPages } from '../../../shared/routes/plain-pages'
import { routeOf, type RouteId } from '../../../shared/routes/table'
import type { Texts } from '../../../shared/view'
import { sourceHash } from './compile-article'
import type { Connection } from '../database'
import { mergeTexts } from '../store/merge-texts'
import { createSearchWriter } from './write-search'

type Named = {
  route: RouteId
  params: Params
  collection: Collection
  id: string
  title: string
  description: string
  text: string
}

const stringAt = (texts: Texts, ...path: string[]): string => {
  const found = path.reduce<unknown>(
    (value, key) => (value && typeof value === 'object' ? (value as Texts)[key] : undefined),
    texts,
  )
  return typeof found === 'string' ? found : ''
}
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(stringsIn)
      : []
/** Words that a page fills in itself (`{{price}}`) are not known here. */
const withoutGaps = (text: string, brand: string): string =>
  text
    .replaceAll('{{brand}}', brand)
    .replace(/\{\{[^}]*\}\}/g, '')
    .replace(/<[^>]*>/g, '')

/** A page that is all interface: its name in the menus, its description, and the texts that it shows. */
function plainPage(route: RouteId, key: string, read: (namespace: Namespace) => Texts): Named {
  const namespace = routeOf(route).texts[0] ?? 'shell'
  const texts = read(namespace)
  const own =
    namespace === 'lists'
      ? texts[route]
      : Object.entries(texts)
          .filter(([name]) => name !== 'seo')
          .map(([, value]) => value)
  const seo = namespace === 'lists' ? ['seo', route] : ['seo']
  return {
    route,
    params: {},
    collection: 'pages',
    id: route,
    title: stringAt(read('shell'), `NAVBAR_${key}`),
    description: stringAt(texts, ...seo, 'description'),
    text: [stringAt(texts, ...seo, 'keywords'), ...stringsIn(own)].join('\n'),
  }
}

/** Menus name landing pages in every language, also where their texts are not translated: so they are found by these names. */
function landingNames(locale: LocaleCode, read: (namespace: Namespace) => Texts): Named[] {
  const name = (id: string): string =>
    stringAt(read('shell'), `NAVBAR_${id.toUpperCase().replaceAll('-', '_')}`)
  const blank = { description: '', text: '' }
  return [
    ...solutionIds.map((id): Named => ({
      route: 'solution',
      params: { id },
      collection: 'solutions',
      id,
      title: name(id),
      ...blank,
    })),
    ...featureIds.map((id): Named => ({
      route: 'single',
      params: { html: id },
      collection: 'features',
      id,
      title: name(id),
      ...blank,
    })),
    ...industries.flatMap(({ id }): Named[] => {
      const slug = industrySlug(id, locale)
      return slug
        ? [
            {
              route: 'single',
              params: { html: slug },
              collection: 'industries',
              id,
              title: stringAt(read('categories'), `industry_${id}`),
              ...blank,
            },
          ]
        : []
    }),
  ]
}

/**
 * Keeps the pages that no Markdown file makes in the full-text index: written anew for a language when its texts, those it falls back to, the
 * brand or this program have changed.
 */
export function createPageWriter(db: Connection) {
  const meta = {
    get: db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    set: db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)'),
  }
  const textOf = db.prepare<[string, string], { json: string }>(
    'SELECT json FROM texts WHERE locale = ? AND namespace = ?',
  )
  const known = db.prepare<[string], { key: number }>(
    'SELECT key FROM search_pages WHERE locale = ?',
  )
  const forget = db.prepare('DELETE FROM search_pages WHERE locale = ?')
  const insert = db.prepare(
    'INSERT INTO search_pages (locale, route, params, collection, id, title, description, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const search = createSearchWriter(db)

  function writeLocale(locale: LocaleCode, brand: string): void {
    const read = (namespace: Namespace): Texts =>
      [...locales[locale].fallback]
        .reverse()
        .reduce<Texts>(
          (base, code) =>
            mergeTexts(base, JSON.parse(textOf.get(code, namespace)?.json ?? '{}') as Texts),
          {},
        )
    for (const { key } of known.all(locale)) search.remove(-key, locale)
    forget.run(locale)
    const pages = [
      ...plainPages.map(({ route, key }) => plainPage(route, key, read)),
      ...landingNames(locale, read),
    ]
    for (const { route, params, collection, id, ...texts } of pages) {
      if (texts.title === '' || redirectFor({ route, params }, locale)) continue
      const [title, description, text] = [texts.title, texts.description, texts.text].map((part) =>
        withoutGaps(part, brand),
      ) as [string, string, string]
      const { lastInsertRowid } = insert.run(
        locale,
        route,
        JSON.stringify(params),
        collection,
        id,
        title,
        description,
        text,
      )
      search.save(-Number(lastInsertRowid), locale, {
        title,
        headings: id.replaceAll('-', ' '),
        about: description,
        body: text,
        place: collection,
      })
    }
  }

  return function writePages(brand: string, compiler: string, changed: ReadonlySet<string>): void {
    const stamp = sourceHash(brand, compiler)
    const all = meta.get.get('pages')?.value !== stamp
    for (const code of localeCodes)
      if (all || locales[code].fallback.some((source) => changed.has(`locale:${source}`)))
        writeLocale(code, brand)
    if (all) meta.set.run('pages', stamp)
  }
}
