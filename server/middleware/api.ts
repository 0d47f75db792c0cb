import { Router } from 'express'
import { siteRedirect } from '../api/site-redirect'
import { SiteError } from '../errors'
import type { Site } from '../site'

/** The embedded API: one file a call, one line where it is mounted. What no line names is 404. */
export function api(site: Site): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/site/redirect', siteRedirect(site))
  router.all('/site/redirect', () => {
    throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })
  })
  router.use(() => {
    throw new SiteError('notFound')
  })
  return router
}
