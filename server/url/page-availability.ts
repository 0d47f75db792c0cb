import type { Collection } from '../../shared/content'
import { allLocales, localeCodes, locales, type LocaleCode } from '../../shared/i18n/locales'
import { industryOf, switchLocale, type Page } from '../../shared/routes/availability'
import { absolute, href, type Origins } from '../../shared/routes/href'
import { routeOf, type Load } from '../../shared/routes/table'
import type { ListCounts, WrittenIn } from './content-facts'
import { canonicalize, type UrlContext } from './canonicalize'

/** What existence depends on: in which languages an entry is written, and, where it matters, how many entries a list shows. */
export type Written = WrittenIn & Partial<ListCounts>

/** The entry of a collection that a page shows, if it shows one. */
export function entryOf(
  { route, params }: Page,
  store: Written,
): { collection: Collection; id: string } | null {
  const { load } = routeOf(route)
  if (load.kind === 'article' || load.kind === 'landing')
    return { collection: load.collection, id: params['id'] ?? '' }
  if (load.kind === 'release') return { collection: 'release', id: params['id'] ?? '' }
  if (load.kind !== 'single') return null
  const slug = params['html'] ?? ''
  const industry = industryOf(slug)
  const candidates: Array<{ collection: Collection; id: string }> = [
    { collection: 'features', id: slug },
    ...(industry ? [{ collection: 'industries' as const, id: industry }] : []),
    { collection: 'pages', id: slug },
  ]
  return (
    candidates.find(({ collection, id }) => store.localesOf(collection, id).length > 0) ?? {
      collection: 'pages',
      id: slug,
    }
  )
}

export type Existence = {
  /** Languages in which the page is offered and has a text of its own: hreflang, sitemaps. */
  own: readonly LocaleCode[]
  /** Languages in which it answers 200, be it with a fallback text: language menu. */
  served: readonly LocaleCode[]
}

/** Whether a list shows anything in a language: an empty one answers 404, but for the front pages of blog and news. */
function isFilled(
  load: Load,
  { params }: Page,
  code: LocaleCode,
  { listed, count }: Written,
): boolean {
  if (!listed || !count) return true
  if (load.kind === 'sections' || load.kind === 'landings') return listed(load.collection, code) > 0
  if (load.kind !== 'articles' || !load.by) return true
  const { category = '', tags } = params
  const wanted = tags?.split('+') ?? ['']
  if (!wanted.every((tag) => listed(load.collection, code, category, tag) > 0)) return false
  return wanted.length < 2 || count(load.collection, code, { category, tags: wanted }) > 0
}

/** A row of the redirect table may start on a live page, and a page may be switched off: then it is none (decisions 3.8). */
function isReached(page: Page, code: LocaleCode, urlContext: UrlContext): boolean {
  if (urlContext.redirects.rows.length === 0 && page.route !== 'pre-sales') return true
  return (
    canonicalize(
      { host: locales[code].domain, path: href(code, page.route, page.params), query: '' },
      urlContext,
    ).kind === 'page'
  )
}

/**
 * In which languages a page exists: one source for head, sitemap, language menu and feeds. Without `urlContext` the redirect
 * table and the site's switches are left out of account. `written` spares the look-up where the caller knows it.
 */
export function existenceOf(
  page: Page,
  store: Written,
  urlContext: UrlContext | null = null,
  written?: readonly LocaleCode[],
): Existence {
  const { load } = routeOf(page.route)
  const offered = localeCodes.filter((code) => {
    const there = switchLocale(page, code)
    return (
      there !== null &&
      isFilled(load, page, code, store) &&
      (urlContext === null || isReached(there, code, urlContext))
    )
  })
  const entry = entryOf(page, store)
  if (!entry) return { own: offered, served: offered }
  const sources = new Set(written ?? store.localesOf(entry.collection, entry.id))
  return {
    own: offered.filter((code) => sources.has(code)),
    served: offered.filter((code) => locales[code].fallback.some((source) => sources.has(source))),
  }
}

/** Address of a page in another language; of that language's home page where the page does not exist. */
export function addressIn(
  page: Page,
  code: LocaleCode,
  { served }: Existence,
  origins: Origins,
): string {
  const same = served.includes(code) ? switchLocale(page, code) : null
  return absolute(origins, code, same ? href(code, same.route, same.params) : href(code, 'home'))
}

/** hreflang of a page (decisions 9): ISO tag and bare language of each language that has it, and the English page as default. */
export function alternatesOf(
  page: Page,
  existence: Existence,
  origins: Origins,
): Array<{ hreflang: string; href: string }> {
  const links = allLocales
    .filter(({ code }) => existence.own.includes(code))
    .flatMap(({ code, hreflang }) => {
      const address = addressIn(page, code, existence, origins)
      return hreflang.map((tag) => ({ hreflang: tag, href: address }))
    })
  return existence.own.includes('en')
    ? [...links, { hreflang: 'x-default', href: addressIn(page, 'en', existence, origins) }]
    : links
}
