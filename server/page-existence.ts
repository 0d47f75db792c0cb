import type { Collection } from '../shared/content'
import { allLocales, localeCodes, locales, type LocaleCode } from '../shared/i18n/locales'
import { industryOf, switchLocale, type Page } from '../shared/routes/availability'
import { absolute, href, type Origins } from '../shared/routes/href'
import { routeOf } from '../shared/routes/table'
import type { ContentStore } from './content/store'

/** Which languages an entry is written in: all that existence depends on. */
type Written = Pick<ContentStore, 'localesOf'>

/** The entry of a collection that a page shows, if it shows one. */
function entryOf({ route, params }: Page, store: Written): { collection: Collection; id: string } | null {
  const { load } = routeOf(route)
  if (load.kind === 'article' || load.kind === 'landing') return { collection: load.collection, id: params['id'] ?? '' }
  if (load.kind === 'release') return { collection: 'release', id: params['id'] ?? '' }
  if (load.kind !== 'single') return null
  const slug = params['html'] ?? ''
  const industry = industryOf(slug)
  const candidates: Array<{ collection: Collection; id: string }> = [{ collection: 'features', id: slug }, ...(industry ? [{ collection: 'industries' as const, id: industry }] : []), { collection: 'pages', id: slug }]
  return candidates.find(({ collection, id }) => store.localesOf(collection, id).length > 0) ?? { collection: 'pages', id: slug }
}

export type Existence = {
  /** Languages in which the page is offered and has a text of its own: hreflang, sitemaps. */
  own: readonly LocaleCode[]
  /** Languages in which it answers 200, be it with a fallback text: language menu. */
  served: readonly LocaleCode[]
}

/** In which languages a page exists: one source for head, sitemap, language menu and feeds. */
export function existenceOf(page: Page, store: Written): Existence {
  const offered = localeCodes.filter((code) => switchLocale(page, code) !== null)
  const entry = entryOf(page, store)
  if (!entry) return { own: offered, served: offered }
  const written = new Set(store.localesOf(entry.collection, entry.id))
  return { own: offered.filter((code) => written.has(code)), served: offered.filter((code) => locales[code].fallback.some((source) => written.has(source))) }
}

/** Address of a page in another language; of that language's home page where the page does not exist. */
export function addressIn(page: Page, code: LocaleCode, { served }: Existence, origins: Origins): string {
  const same = served.includes(code) ? switchLocale(page, code) : null
  return absolute(origins, code, same ? href(code, same.route, same.params) : href(code, 'home'))
}

/** hreflang of a page (decisions 9): ISO tag and bare language of each language that has it, and the English page as default. */
export function alternatesOf(page: Page, existence: Existence, origins: Origins): Array<{ hreflang: string; href: string }> {
  const links = allLocales.filter(({ code }) => existence.own.includes(code)).flatMap(({ code, hreflang }) => {
    const address = addressIn(page, code, existence, origins)
    return hreflang.map((tag) => ({ hreflang: tag, href: address }))
  })
  return existence.own.includes('en') ? [...links, { hreflang: 'x-default', href: addressIn(page, 'en', existence, origins) }] : links
}
