import { collections, isCollection, type Collection } from '../../../shared/front-matter'
import { isLocaleCode, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { absoluteUrl, href } from '../../../shared/routes/href'
import { routeOfCollection } from '../../../shared/routes/table'
import type { ContentStore } from '../../content/store/store'
import type { AnnouncedUrl, PageState } from '../../db/announcement-store'
import { computeETag } from '../../request/etag'
import { entryHref, paramsOf } from '../../url/entry-href'
import type { Hosts } from '../../url/hosts'
import { pageAvailability } from '../../url/page-availability'
import type { UrlContext } from '../../url/url-context'
import { fixedRoutes } from '../sitemap-sections'

export type PageServices = {
  store: ContentStore
  urlContext: () => UrlContext
  hosts: Pick<Hosts, 'origins'>
}

/** Pages of one group: each is compared in one transaction. */
const groupSize = 100

const fixedPrefix = 'route:'
const fixedPages: readonly string[] = fixedRoutes.map(({ id }) => fixedPrefix + id)

/** `blog/proxy-types` as collection and id; null for other names. */
function parseEntry(page: string): { collection: Collection; id: string } | null {
  const [collection = '', id = ''] = page.split('/')
  return isCollection(collection) && id !== '' ? { collection, id } : null
}

const stateOf = (page: string, own: readonly LocaleCode[], parts: readonly string[]): PageState =>
  own.length === 0
    ? { page, state: '', locales: [] }
    : { page, state: computeETag(JSON.stringify([own, parts])), locales: own }

function pathOf(page: string, locale: LocaleCode): string | null {
  const entry = parseEntry(page)
  if (entry) return entryHref(entry.collection, entry.id, locale)
  const row = fixedRoutes.find(({ id }) => fixedPrefix + id === page)
  return row ? href(locale, row.id) : null
}

/**
 * The pages that are announced (spec 9.9): entries as `blog/proxy-types`, pages without parameters
 * as `route:pricing`. A page is one unit in all its languages.
 */
export function createPageStates({ store, urlContext, hosts }: PageServices) {
  /** How an entry is now: a hash of its published texts. */
  function entryState(page: string, collection: Collection, id: string): PageState {
    const digests = store.digestsOf(collection, id)
    const texts = digests.map(({ locale }) => locale)
    const context = urlContext()
    const route = routeOfCollection[collection]
    const own = texts.filter((locale) => {
      if (entryHref(collection, id, locale) === null) return false
      const asked = { route, params: paramsOf(collection, id, locale) }
      return pageAvailability(asked, store, context, texts).own.includes(locale)
    })
    return stateOf(
      page,
      own,
      digests.map(({ digest }) => digest),
    )
  }

  /** How a page without parameters is now: a hash of its texts in all languages. */
  function fixedState(page: string): PageState {
    const row = fixedRoutes.find(({ id }) => fixedPrefix + id === page)
    if (!row) return stateOf(page, [], [])
    const { own } = pageAvailability({ route: row.id, params: {} }, store, urlContext())
    const parts = own.flatMap((locale) =>
      row.texts.map((namespace) => JSON.stringify(store.texts(locale, namespace))),
    )
    return stateOf(page, own, parts)
  }

  return {
    describe: (page: string): PageState => {
      const entry = parseEntry(page)
      return entry ? entryState(page, entry.collection, entry.id) : fixedState(page)
    },
    urlsOf: (page: string, codes: readonly string[]): AnnouncedUrl[] =>
      codes.filter(isLocaleCode).flatMap((locale) => {
        const path = pathOf(page, locale)
        return path === null
          ? []
          : [{ host: locales[locale].domain, url: absoluteUrl(hosts.origins, locale, path) }]
      }),
    /** All pages that exist, in groups. */
    *groups(): Generator<string[]> {
      yield [...fixedPages]
      for (const collection of collections)
        for (let after = ''; ;) {
          const ids = store.idsAfter(collection, after, groupSize)
          if (ids.length === 0) break
          yield ids.map((id) => `${collection}/${id}`)
          after = ids.at(-1) ?? ''
        }
    },
    /** The pages whose surrogate tags changed; null when any page may have. */
    changedBy(tags: ReadonlySet<string>): string[] | null {
      if (['redirects', 'site'].some((tag) => tags.has(tag))) return null
      const entries = [...tags].filter(parseEntry)
      const hasTexts = [...tags].some((tag) => tag.startsWith('locale:'))
      return hasTexts ? [...entries, ...fixedPages] : entries
    },
  }
}
