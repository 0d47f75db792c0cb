import type { RequestHandler } from 'express'
import type { Site } from '../site'
import { createPageServer } from '../render/serve-page'
import { isNegotiated } from '../url/decide'
import type { CanonicalPage } from './canonical-url'

/** A page number as decisions 5 takes it: one whole number without leading zero. Absent: 1. Anything else: null. */
export function pageNumber(query: string): number | null {
  const values = new URLSearchParams(query).getAll('page')
  if (values.length === 0) return 1
  const [value = ''] = values
  return values.length === 1 && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : null
}

/** Serves canonical pages, 404 pages among them. */
export function page(site: Site): RequestHandler {
  const servePage = createPageServer(site)
  return function pageRow(request, response, next) {
    const { host, locale, path, pathOnHost, query, match } = response.locals['page'] as CanonicalPage
    const number = match?.route.query?.includes('page') ? pageNumber(query) : 1
    servePage({ host, locale, match, page: number, path: pathOnHost, negotiated: isNegotiated(site.settings.LOCALE_NEGOTIATION, { host, locale, path }) }, request, response).catch(next)
  }
}
