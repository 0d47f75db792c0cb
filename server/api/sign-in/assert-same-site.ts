import type { IncomingHttpHeaders } from 'node:http'
import { SiteError } from '../../errors'
import type { Hosts } from '../../url/hosts'

/**
 * Refuses (403) requests that a page of another site sends from a visitor's browser (CSRF): those
 * with a foreign `Origin`, or a `Sec-Fetch-Site` that is cross-site. Programs send neither header.
 * When the site is reached by a further name (an IP address, one of ZH_HOSTS), the browser sends
 * that name as `Origin` and as `Host`.
 */
export function assertSameSite(
  { origin, host, 'sec-fetch-site': fetchSite }: IncomingHttpHeaders,
  { origins }: Hosts,
): void {
  const isOwnOrigin =
    origin === undefined ||
    Object.values(origins).includes(origin) ||
    origin === `http://${host}` ||
    origin === `https://${host}`
  if (
    !isOwnOrigin ||
    (fetchSite !== undefined && !['same-origin', 'same-site', 'none'].includes(fetchSite))
  )
    throw new SiteError('forbidden')
}
