import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientAddress } from '../../request/client-address'
import { isHostHeader, type Hosts } from '../../url/hosts'

/** Headers that belong to one connection, or that the outgoing request sets itself. */
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

/**
 * Headers with which a visitor could make a server believe another address, host, path or method.
 */
const forgeableHeaders =
  /^(?:x-forwarded|forwarded$|x-real-ip$|x-(?:cluster-)?client-ip$|true-client-ip$|cf-|fastly-|x-original-|x-rewrite-|x-host|x-http-|x-method-override$|x-request-id$|proxy-|via$)/

/**
 * The headers of a request as the upstream receives them. `X-Forwarded-For` holds exactly one
 * address, the peer's or the one that TRUST_PROXY proxies report, so that the upstream need not
 * know how many proxies are in front of this site. Compressed responses are not accepted: they are
 * checked here, and compressed for the visitor.
 */
export function toUpstreamHeaders(
  request: IncomingMessage,
  { id }: { id?: string },
  hosts: Hosts,
  trustedProxies: number,
): IncomingHttpHeaders {
  const { headers } = request
  const namedByConnection = new Set(
    (headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  const forwarded = Object.entries(headers).filter(
    ([name]) =>
      !connectionHeaders.has(name) && !namedByConnection.has(name) && !forgeableHeaders.test(name),
  )
  const origin = new URL(hosts.origins[hosts.hostNameOf(headers.host ?? '')])
  const [proto, host] =
    trustedProxies > 0
      ? [firstValue(headers['x-forwarded-proto']), firstValue(headers['x-forwarded-host'])]
      : ['', '']
  return {
    ...Object.fromEntries(forwarded),
    ...bodyHeaders(request),
    'accept-encoding': 'identity',
    'x-forwarded-for': clientAddress(request, trustedProxies),
    'x-forwarded-proto': /^https?$/.test(proto) ? proto : origin.protocol.slice(0, -1),
    'x-forwarded-host': isHostHeader(host) ? host : origin.host,
    ...(id ? { 'x-request-id': id } : {}),
  }
}

const firstValue = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .split(',', 1)[0]
    ?.trim() ?? ''

/**
 * How the body is delimited. Both headers together are refused by Node, so only one is passed on.
 */
function bodyHeaders({ method, headers }: IncomingMessage): IncomingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' }
  if (headers['content-length'] !== undefined)
    return { 'content-length': headers['content-length'] }
  return method === 'GET' || method === 'HEAD' ? {} : { 'content-length': '0' }
}
