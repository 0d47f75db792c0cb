import type { IncomingMessage } from 'node:http'
import { SiteError } from '../errors'
import type { Hosts } from '../url/hosts'
import type { ApiCall } from './define-call'

type ReceivedRequest = Pick<IncomingMessage, 'method' | 'headers'>

/**
 * Refuses (403) a write that a page of another site sends from a visitor's browser (CSRF): one with
 * a foreign `Origin`, or a `Sec-Fetch-Site` that is cross-site. Programs send neither header. When
 * the site is reached by a further name (an IP address, one of ZH_HOSTS), the browser sends that
 * name as `Origin` and as `Host`. `call` is undefined for a call that only the operator's backend
 * has.
 */
export function assertSameSite(
  { method = '', headers }: ReceivedRequest,
  call: Pick<ApiCall, 'isWrite'> | undefined,
  { origins }: Hosts,
): void {
  const isWrite = call?.isWrite ?? !['GET', 'HEAD'].includes(method)
  if (!isWrite) return
  const { origin, host, 'sec-fetch-site': fetchSite } = headers
  const isOwnOrigin =
    origin === undefined ||
    Object.values(origins).includes(origin) ||
    origin === `http://${host}` ||
    origin === `https://${host}`
  if (!isOwnOrigin || fetchSite === 'cross-site') throw new SiteError('forbidden')
}
