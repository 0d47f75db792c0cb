import type { IncomingHttpHeaders } from 'node:http'
import { SiteError } from '../errors'
import type { Hosts } from '../url/hosts'

/**
 * Refuses (403) what a page of another site sends in a visitor's name: an `Origin` that is none of ours, or a `Sec-Fetch-Site` that says so. Programs send neither.
 * A further name of the site (an address, one of ZH_HOSTS) is its own origin, which the browser puts into `Host` too.
 */
export function assertSameSite(
  { origin, host, 'sec-fetch-site': fetchSite }: IncomingHttpHeaders,
  { origins }: Hosts,
): void {
  const ours =
    origin === undefined ||
    Object.values(origins).includes(origin) ||
    origin === `http://${host}` ||
    origin === `https://${host}`
  if (
    !ours ||
    (fetchSite !== undefined && !['same-origin', 'same-site', 'none'].includes(String(fetchSite)))
  )
    throw new SiteError('forbidden')
}
