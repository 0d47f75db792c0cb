/** Addresses of register and login: what is missing is added, what an operator wrote stays (spec section 5). */

const base = 'http://site.invalid'

/** Adds query parameters that an address lacks. A path stays a path; an address that is none comes back unchanged. */
export function addMissing(address: string, parameters: Readonly<Record<string, string>>): string {
  if (!URL.canParse(address, base)) return address
  const url = new URL(address, base)
  for (const [name, value] of Object.entries(parameters))
    if (!url.searchParams.has(name)) url.searchParams.set(name, value)
  return url.origin === base ? url.pathname + url.search + url.hash : url.href
}

/** Register and login links as they are served: the HTML is shared by all, so it holds no visitor data (decisions 7). */
export const accountLink = (address: string, languageTag: string): string =>
  addMissing(address, { rel: 'official_website', lang: languageTag })
