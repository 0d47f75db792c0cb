import ipaddr from 'ipaddr.js'

/**
 * Global unicast (RFC 4291). All other IPv6 ranges are local, reserved or contain IPv4 addresses.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address belongs to the public internet. Loopback, private, link-local, carrier,
 * documentation and reserved ranges do not, nor IPv6 addresses that embed an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo): a translator would connect those to the internal network.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast)
}
