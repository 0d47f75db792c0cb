import type { Collection } from '../../shared/front-matter'
import type { LocaleCode } from '../../shared/i18n/locales'
import { industrySlug, redirectFor } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { Params } from '../../shared/routes/path-of'
import { routeOfCollection } from '../../shared/routes/table'

/** Parameters of an entry's route; industries have other slugs in Chinese. */
export function paramsOf(collection: Collection, id: string, locale: LocaleCode): Params {
  if (collection === 'industries') return { html: industrySlug(id, locale) ?? id }
  return routeOfCollection[collection] === 'single' ? { html: id } : { id }
}

/** Path of an entry in a language; null where the language does not offer it. */
export function entryHref(collection: Collection, id: string, locale: LocaleCode): string | null {
  const route = routeOfCollection[collection]
  const params = paramsOf(collection, id, locale)
  if (collection === 'industries' && industrySlug(id, locale) === null) return null
  return redirectFor({ route, params }, locale) ? null : href(locale, route, params)
}
