import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientAddress } from '../../request/client-address'
import type { Hosts } from '../../url/hosts'

/** Headers that belong to one connection, or that the request to the upstream sets itself. */
const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
  'content-length',
  'host',
  'accept-encoding',
])

/** `assertSameSite` has checked them. To the upstream, which has another host, they are foreign. */
const siteHeaders = new Set(['origin', 'sec-fetch-site'])

/**
 * Headers with which a visitor could make a server believe another address, host, path or method.
 */
const forgeableHeaders =
  /^(?:x-forwarded|forwarded$|x-real-ip$|x-(?:cluster-)?client-ip$|true-client-ip$|cf-|fastly-|x-original-|x-rewrite-|x-host|x-http-|x-method-override$|x-request-id$|proxy-|via$)/

/**
 * The headers of a request as the upstream receives them. `X-Forwarded-For` holds exactly one
 * address, the peer's or the one that TRUST_PROXY proxies report, so that the upstream need not
 * know how many proxies are in front of this site. Its host is one of this site, because backends
 * build links from it, for example to reset a password. Compressed responses are not accepted: they
 * are checked here, and compressed for the visitor.
 */
export function toUpstreamHeaders(
  request: IncomingMessage,
  { id }: { id?: string },
  hosts: Hosts,
  { trustedProxies, bodyBytes }: { trustedProxies: number; bodyBytes: number },
): IncomingHttpHeaders {
  const { headers, method } = request
  const namedByConnection = new Set(
    (headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  const forwarded = Object.entries(headers).filter(
    ([name]) =>
      !connectionHeaders.has(name) &&
      !siteHeaders.has(name) &&
      !namedByConnection.has(name) &&
      !forgeableHeaders.test(name) &&
      // Many backends read `X_Real_IP` as `X-Real-IP`, and `Transfer_Encoding` likewise.
      !name.includes('_'),
  )
  const origin = new URL(hosts.origins[hosts.hostNameOf(headers.host ?? '')])
  const proto = trustedEntry(headers['x-forwarded-proto'], trustedProxies)
  const host = trustedEntry(headers['x-forwarded-host'], trustedProxies)
  return {
    ...Object.fromEntries(forwarded),
    ...framingHeaders(method, bodyBytes),
    'accept-encoding': 'identity',
    'x-forwarded-for': clientAddress(request, trustedProxies),
    'x-forwarded-proto': /^https?$/.test(proto) ? proto : origin.protocol.slice(0, -1),
    'x-forwarded-host': hosts.isKnown(host) ? host : origin.host,
    ...(id ? { 'x-request-id': id } : {}),
  }
}

/**
 * What the outermost of the trusted proxies wrote: as in `clientAddress`, entries to its left are
 * the client's. Empty without trusted proxies.
 */
const trustedEntry = (header: string | string[] | undefined, trustedProxies: number): string =>
  trustedProxies === 0
    ? ''
    : (String(header ?? '')
        .split(',')
        .slice(-trustedProxies)[0]
        ?.trim() ?? '')

/**
 * Where the request ends, for the upstream. The body is complete, so its length is always known;
 * nothing is sent chunked.
 */
const framingHeaders = (method: string | undefined, bodyBytes: number): IncomingHttpHeaders =>
  bodyBytes > 0 || (method !== 'GET' && method !== 'HEAD')
    ? { 'content-length': String(bodyBytes) }
    : {}
