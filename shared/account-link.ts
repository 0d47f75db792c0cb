/** A base for parsing paths. */
const base = 'http://site.invalid'

/**
 * Adds the query parameters that a URL lacks; parameters that an operator wrote stay. A path stays
 * a path; an invalid URL is returned unchanged.
 */
export function addMissingParams(
  address: string,
  parameters: Readonly<Record<string, string>>,
): string {
  if (!URL.canParse(address, base)) return address
  const url = new URL(address, base)
  for (const [name, value] of Object.entries(parameters))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  return url.origin === base ? url.pathname + url.search + url.hash : url.href
}

/**
 * Register and login links in the HTML (spec 7.6). All visitors share the HTML, so these links
 * contain no visitor data.
 */
export const accountLink = (address: string, languageTag: string): string =>
  addMissingParams(address, { rel: 'official_website', lang: languageTag })
