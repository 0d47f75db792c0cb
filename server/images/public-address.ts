import ipaddr from 'ipaddr.js'

/** Global unicast (RFC 4291): everything outside it is local, reserved, or a way to write an IPv4 address. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet. Loopback, private, link-local, carrier, documentation and reserved
 * ranges do not, nor IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo): behind a
 * translator they lead inside.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}
