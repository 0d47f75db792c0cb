import { Router, type RequestHandler } from 'express'
import { siteOffer } from '../api/site-offer'
import { siteRedirect } from '../api/site-redirect'
import { siteSearch } from '../api/site-search'
import { siteTexts } from '../api/site-texts'
import { SiteError } from '../errors'
import type { Site } from '../site'

/** Calls that read, by their path below `/api`. */
const reads: Readonly<Record<string, (site: Site) => RequestHandler>> = {
  '/site/offer': siteOffer,
  '/site/redirect': siteRedirect,
  '/site/search': siteSearch,
  '/site/texts': siteTexts,
}

/** The embedded API: one file a call, one line where it is mounted. What no line names is 404. */
export function api(site: Site): Router {
  const router = Router({ caseSensitive: true, strict: true })
  for (const [path, call] of Object.entries(reads)) {
    router.get(path, call(site))
    router.all(path, () => {
      throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
    })
  }
  router.use(() => {
    throw new SiteError('notFound')
  })
  return router
}
