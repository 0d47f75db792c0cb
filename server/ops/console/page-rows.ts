import { setImmediate as nextTurn } from 'node:timers/promises'
import type { z } from 'zod'
import type { PageRow, pageFilter } from '../../../shared/console/pages'
import { collections, isCollection, type Collection } from '../../../shared/front-matter'
import { localeCodes, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { absoluteUrl, href } from '../../../shared/routes/href'
import { routeOfCollection, routeOf, routes } from '../../../shared/routes/table'
import type { EntryText } from '../../content/store/entry-queries'
import { canonicalize } from '../../url/canonicalize'
import { entryHref } from '../../url/entry-href'
import type { OpsServices } from '../ops-call'

type PageServices = Pick<OpsServices, 'store' | 'hosts' | 'settings' | 'urlContext'>
export type PageFilter = z.output<typeof pageFilter>
/** A row before words and counts are added. `key`: of its text. */
export type FoundRow = Omit<PageRow, 'words' | 'views' | 'searchClicks' | 'vitals'> & {
  key: number | null
  path: string
}

/** Entries between which other requests are answered. */
const sliceSize = 50
const fixedRoutes = routes.filter(({ pattern }) => !pattern.includes('{'))
type TextState = Pick<FoundRow, 'state' | 'why' | 'changed' | 'key'>

const lastChange = ({ updated, date }: EntryText): string => updated ?? date ?? ''

/** The state of an entry in a language by its texts. */
function textState(texts: readonly EntryText[], locale: LocaleCode): TextState {
  const own = texts.find((text) => text.locale === locale)
  const live = texts.filter((text) => text.live === 1 && text.source === '')
  const source = locales[locale].fallback
    .filter((code) => code !== locale)
    .flatMap((code) => live.find((text) => text.locale === code) ?? [])[0]
  if (own) {
    const { key } = own
    const changed = lastChange(own) || null
    if (own.live === 0 && own.publish !== null) {
      const why = `on ${new Date(own.publish).toISOString().slice(0, 16)}`
      return { state: 'scheduled', why, changed, key }
    }
    if (own.live === 0) return { state: 'draft', why: '', changed, key }
    if (own.source !== '') return { state: 'converted', why: `from ${own.source}`, changed, key }
    if (source && lastChange(source) > lastChange(own))
      return { state: 'outdated', why: `${source.locale} changed later`, changed, key }
    return { state: 'there', why: '', changed, key }
  }
  return source
    ? { state: 'fallback', why: `text of ${source.locale}`, changed: null, key: null }
    : { state: 'missing', why: '', changed: null, key: null }
}

/** Finds the rows of a page: an entry (its texts), or a page without one (null). */
function createPageRows({ store, hosts, settings, urlContext }: PageServices) {
  function rowOf(
    page: string,
    locale: LocaleCode,
    path: string | null,
    isNoindex: boolean,
    texts: readonly EntryText[] | null,
  ): FoundRow {
    const none = { page, locale, whyNotIndexable: 'redirected', key: null, changed: null }
    if (path === null)
      return { ...none, url: null, path: '', state: 'redirected', why: 'not in this language' }
    const url = absoluteUrl(hosts.origins, locale, path)
    const { domain } = locales[locale]
    const decision = canonicalize({ host: domain, path, query: '' }, urlContext())
    if (decision.kind === 'redirect') {
      const why = `${decision.appliedRules.join(', ')}: ${decision.location}`
      return { ...none, url, path, state: 'redirected', why }
    }
    const text: TextState = texts
      ? textState(texts, locale)
      : { state: 'there', why: '', changed: null, key: null }
    const whyNotIndexable =
      (text.state !== 'there' && text.state !== 'outdated' && text.state) ||
      (isNoindex && 'noindex') ||
      (settings.INDEXING ? '' : 'INDEXING is off')
    return { page, locale, url, path, ...text, whyNotIndexable }
  }
  return {
    ofRoute: (id: (typeof fixedRoutes)[number]['id'], locale: LocaleCode): FoundRow =>
      rowOf(`routes/${id}`, locale, href(locale, id), routeOf(id).meta?.robots === 'noindex', null),
    ofEntry(collection: Collection, id: string, wanted: readonly LocaleCode[]): FoundRow[] {
      const texts = store.textsOf(collection, id)
      const isNoindex = routeOf(routeOfCollection[collection]).meta?.robots === 'noindex'
      return wanted.map((locale) => {
        const path = entryHref(collection, id, locale)
        return rowOf(`${collection}/${id}`, locale, path, isNoindex, texts)
      })
    },
  }
}

/**
 * Every page in every language that passes a filter, after a page, one page at a time; null says
 * that a page has no such row. Other requests are answered in between.
 */
export async function* findPages(
  services: PageServices,
  { collection, locale, state, search = '' }: PageFilter,
  after: string,
): AsyncGenerator<{ page: string; rows: FoundRow[] }> {
  const rows = createPageRows(services)
  const wanted = locale ? [locale] : localeCodes
  const fits = (row: FoundRow): boolean => state === undefined || row.state === state
  const [afterCollection = '', afterId = ''] = after.split('/')
  const isWithRoutes = collection === undefined || collection === 'routes'
  if (isWithRoutes && (after === '' || afterCollection === 'routes')) {
    const start = fixedRoutes.findIndex(({ id }) => id === afterId) + 1
    for (const { id } of fixedRoutes.slice(start))
      if (id.includes(search))
        yield {
          page: `routes/${id}`,
          rows: wanted.map((code) => rows.ofRoute(id, code)).filter(fits),
        }
  }
  const known = collections.filter((name) => collection === undefined || name === collection)
  const first = isCollection(afterCollection) ? known.indexOf(afterCollection) : 0
  for (const name of known.slice(Math.max(first, 0))) {
    let last = name === afterCollection ? afterId : ''
    for (;;) {
      const ids = services.store.allIdsAfter(name, last, sliceSize)
      if (ids.length === 0) break
      for (const id of ids)
        yield {
          page: `${name}/${id}`,
          rows: id.includes(search) ? rows.ofEntry(name, id, wanted).filter(fits) : [],
        }
      last = ids.at(-1) ?? ''
      await nextTurn()
    }
  }
}
