import { isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/** An address as proxies write it: bare, or with a port (`1.2.3.4:5678`, `[2001:db8::1]:5678`). Null when it is none. */
export function parseAddress(text: string): string | null {
  const trimmed = text.trim()
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ??
    (/^[\d.]+:\d+$/.test(trimmed) ? trimmed.slice(0, trimmed.indexOf(':')) : trimmed)
  const [address = ''] = bare.split('%', 1)
  // `::ffff:1.2.3.4` is the same visitor as `1.2.3.4`.
  return isIP(address) ? ipaddr.process(address).toString() : null
}

/**
 * The visitor's address. `trusted` proxies stand in front (TRUST_PROXY): each appends to `X-Forwarded-For` whom it was
 * asked by, so that many entries from the right are true and the rest is what anybody may have written. With fewer entries
 * the leftmost counts; an entry that is no address ends the chain, as if its proxy had said nothing.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trusted: number,
): string {
  const peer = parseAddress(socket.remoteAddress ?? '') ?? '0.0.0.0'
  const header = headers['x-forwarded-for']
  if (trusted === 0 || !header) return peer
  const entries = String(header).split(',').slice(-trusted).reverse()
  let address = peer
  for (const entry of entries) {
    const parsed = parseAddress(entry)
    if (!parsed) break
    address = parsed
  }
  return address
}

/** What is counted as one visitor: an IPv4 address, or the /64 that an IPv6 subscriber gets. */
export function addressGroup(address: string): string {
  return isIP(address) === 6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()}/64`
    : address
}

/** An address as it may stand in a log: its /24 or /48 (decisions 10). */
export function shortAddress(address: string): string {
  if (isIP(address) === 6)
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString()}/48`
  return isIP(address) === 4
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`).toString()}/24`
    : ''
}
