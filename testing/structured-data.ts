/** A JSON-LD object with its schema.org type. */
export type Thing = Record<string, unknown> & { '@type': string }

const text = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const address = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^/\s]+\/\S*$/.test(value)
const day = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
const language = (value: unknown): boolean =>
  typeof value === 'string' && Intl.getCanonicalLocales(value)[0] === value
const some =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every(fits)

/**
 * Required properties by type, from the documentation of search engines and schema.org. An
 * organization may be a reference to the page's organization.
 */
const required: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  Organization: { '@id': address, name: text, url: address, logo: address, contactPoint: isThing },
  ContactPoint: {
    contactType: text,
    url: address,
  },
  WebSite: { '@id': address, name: text, url: address, inLanguage: language, publisher: isThing },
  BreadcrumbList: { itemListElement: some(isThing) },
  ListItem: {
    position: (value) => Number.isInteger(value) && Number(value) > 0,
    name: text,
    item: address,
  },
  Article: {
    headline: text,
    description: text,
    image: some(address),
    datePublished: day,
    dateModified: day,
    author: isThing,
    publisher: isThing,
    mainEntityOfPage: address,
    inLanguage: language,
  },
  Person: { name: text },
  SoftwareApplication: {
    name: text,
    operatingSystem: text,
    applicationCategory: text,
    offers: some(isThing),
    url: address,
    image: address,
    inLanguage: language,
  },
  Offer: {
    price: (value) => typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value),
    priceCurrency: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  },
}

function isThing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('@type' in value || '@id' in value)
}

/**
 * Missing and malformed properties of the page's objects, nested ones included; empty if there are
 * none.
 */
export function requiredFaults(things: readonly Thing[]): string[] {
  const known = new Set(things.map((thing) => thing['@id']))
  const faults: string[] = []
  const check = (value: unknown, where: string): void => {
    if (Array.isArray(value)) value.forEach((part, index) => check(part, `${where}[${index}]`))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const thing = value as Record<string, unknown>
    const kind = thing['@type']
    if (typeof kind !== 'string') {
      if (!known.has(thing['@id']))
        faults.push(`${where}: refers to ${String(thing['@id'])}, which is not on the page`)
      return
    }
    const fields = required[kind]
    if (!fields) faults.push(`${where}: no rule for ${kind}`)
    for (const [name, fits] of Object.entries(fields ?? {}))
      if (!fits(thing[name]))
        faults.push(`${where}.${name} of ${kind}: ${JSON.stringify(thing[name])}`)
    for (const [name, part] of Object.entries(thing)) check(part, `${where}.${name}`)
  }
  things.forEach((thing, index) => check(thing, `[${index}]`))
  const positions = things.flatMap((thing) =>
    thing['@type'] === 'BreadcrumbList' && Array.isArray(thing['itemListElement'])
      ? [(thing['itemListElement'] as Thing[]).map(({ position }) => position)]
      : [],
  )
  for (const row of positions)
    if (row.some((position, index) => position !== index + 1))
      faults.push(`positions of the way: ${row.join()}`)
  return faults
}
