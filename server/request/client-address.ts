import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import type { Settings } from '../env'

/**
 * An address in the forms that proxies write: bare, or with a port (`1.2.3.4:5678`,
 * `[2001:db8::1]:5678`). Null for anything else.
 */
export function parseAddress(text: string): string | null {
  if (isIP(text) === 4) return text
  const trimmed = text.trim()
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ??
    (/^[\d.]+:\d+$/.test(trimmed) ? trimmed.slice(0, trimmed.indexOf(':')) : trimmed)
  const [address = ''] = bare.split('%', 1)
  // `::ffff:1.2.3.4` and `1.2.3.4` are the same visitor.
  return isIP(address) ? ipaddr.process(address).toString() : null
}

/**
 * The visitor's address. Each of the `trustedProxies` (TRUST_PROXY) appends the address of its own
 * client to `X-Forwarded-For`, so that many entries from the right can be believed. A client can
 * write anything into the others. With fewer entries the leftmost one counts. An entry that is not
 * an address ends the chain: the entry to its right counts.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const peer = parseAddress(socket.remoteAddress ?? '') ?? '0.0.0.0'
  const header = headers['x-forwarded-for']
  if (trustedProxies === 0 || !header) return peer
  const entries = String(header).split(',').slice(-trustedProxies).reverse()
  let address = peer
  for (const entry of entries) {
    const parsed = parseAddress(entry)
    if (!parsed) break
    address = parsed
  }
  return address
}

/**
 * What is wrong, and how to fix it, when visitors can connect to a site that believes
 * `X-Forwarded-For`: they could write any address into it, which gives each request a rate limit to
 * itself. Null when only the proxy can connect, as far as the settings show. In a container all
 * interfaces are the container's; what can connect is decided by the ports that are published.
 */
export function findProxyBypass(
  { HOST, PORT, TRUST_PROXY }: Pick<Settings, 'HOST' | 'PORT' | 'TRUST_PROXY'>,
  inContainer: boolean,
): { message: string; fix: string } | null {
  const isOnAllInterfaces = ipaddr.isValid(HOST) && ipaddr.process(HOST).range() === 'unspecified'
  if (TRUST_PROXY === 0 || inContainer || !isOnAllInterfaces) return null
  return {
    message: `TRUST_PROXY=${TRUST_PROXY}, but the site listens on all interfaces (HOST=${HOST}): clients that connect to port ${PORT} directly can forge their address`,
    fix: 'set HOST to 127.0.0.1, or to the private address that the proxy connects to',
  }
}

/** The unit of rate limits: an IPv4 address, or the /64 that an IPv6 subscriber gets. */
export function addressGroup(address: string): string {
  return isIP(address) === 6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64`
    : address
}

/**
 * The part of an address that may be logged: its /24 or /48 (spec 10.2). Empty when the text is not
 * an address.
 */
export function anonymizeAddress(address: string): string {
  if (isIP(address) === 6)
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString()}/48`
  return isIP(address) === 4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`).toString()}/24`
    : ''
}
