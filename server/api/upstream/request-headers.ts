import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientAddress } from '../../request/client-address'
import { isHostHeader, type Hosts } from '../../url/hosts'

/** Headers that belong to one connection, or that the outgoing request makes anew. */
const ownOfConnection = new Set([
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

/** Headers by which a server may take a visitor's word for an address, a host, a path or a method. */
const forgeable =
  /^(?:x-forwarded|forwarded$|x-real-ip$|x-(?:cluster-)?client-ip$|true-client-ip$|cf-|fastly-|x-original-|x-rewrite-|x-host|x-http-|x-method-override$|x-request-id$|proxy-|via$)/

const first = (value: string | string[] | undefined): string =>
  String(value ?? '')
    .split(',', 1)[0]
    ?.trim() ?? ''

/**
 * What the upstream hears of a request. The address is ours to tell: the peer's, or the one that TRUST_PROXY proxies vouch for, and
 * that one alone, so that the upstream need not know how many proxies stand in front of this site. No compressed answers: they are
 * checked here, and compressed for the visitor.
 */
export function upstreamHeaders(
  request: IncomingMessage,
  { id }: { id?: string },
  hosts: Hosts,
  trusted: number,
): IncomingHttpHeaders {
  const { headers } = request
  const named = new Set(
    (headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  const kept = Object.entries(headers).filter(
    ([name]) => !ownOfConnection.has(name) && !named.has(name) && !forgeable.test(name),
  )
  const origin = new URL(hosts.origins[hosts.nameOf(headers.host ?? '')])
  const [proto, host] =
    trusted > 0
      ? [first(headers['x-forwarded-proto']), first(headers['x-forwarded-host'])]
      : ['', '']
  return {
    ...Object.fromEntries(kept),
    ...bodyHeaders(request),
    'accept-encoding': 'identity',
    'x-forwarded-for': clientAddress(request, trusted),
    'x-forwarded-proto': /^https?$/.test(proto) ? proto : origin.protocol.slice(0, -1),
    'x-forwarded-host': isHostHeader(host) ? host : origin.host,
    ...(id ? { 'x-request-id': id } : {}),
  }
}

/** Whether and how a body comes: Node refuses requests that say both. */
function bodyHeaders({ method, headers }: IncomingMessage): IncomingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' }
  if (headers['content-length'] !== undefined)
    return { 'content-length': headers['content-length'] }
  return method === 'GET' || method === 'HEAD' ? {} : { 'content-length': '0' }
}
