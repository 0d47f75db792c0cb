import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * An address in the forms that proxies write: bare, or with a port (`1.2.3.4:5678`,
 * `[2001:db8::1]:5678`). Null for anything else.
 */
export function parseAddress(text: string): string | null {
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
