import type { IncomingMessage } from 'node:http'
import { SiteError } from '../../errors'
import type { Hosts } from '../../url/hosts'

/**
 * Refuses (403) a request that a page of another origin sends from an operator's browser (CSRF).
 * Browsers send `Origin` with every POST. It must be the origin of the host that was asked, or name
 * the same host as the `Host` header: an operator may reach the site by an address, and a proxy may
 * drop the port of the header.
 */
export function assertSameOrigin(
  { headers: { origin = '', host = '' } }: Pick<IncomingMessage, 'headers'>,
  { origins, hostNameOf }: Pick<Hosts, 'origins' | 'hostNameOf'>,
): void {
  const isOwn =
    origin === origins[hostNameOf(host)] ||
    origin === `http://${host}` ||
    origin === `https://${host}`
  if (!isOwn) throw new SiteError('forbidden')
}
