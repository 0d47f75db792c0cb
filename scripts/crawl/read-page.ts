/** What the head of a page says. The functions below only read the HTML that this site writes. */
export type Head = {
  canonical: string | null
  alternates: ReadonlyMap<string, string>
  noindex: boolean
  lang: string
  image: string | null
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) =>
      decimal
        ? String.fromCodePoint(Number(decimal))
        : hex
          ? String.fromCodePoint(Number.parseInt(hex, 16))
          : (entities[name ?? ''] ?? whole),
  )

/** The attributes of an opening tag. */
function readAttributes(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeEntities(value),
    ]),
  )
}

/** Removes scripts and comments, whose text may look like elements. */
const withoutScripts = (html: string): string =>
  html.replace(/<script\b[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, '')

export function readHead(html: string): Head {
  const head = withoutScripts(html.slice(0, html.indexOf('</head>')))
  const links = [...head.matchAll(/<link\b[^>]*>/g)].map(([tag]) => readAttributes(tag))
  const metas = [...head.matchAll(/<meta\b[^>]*>/g)].map(([tag]) => readAttributes(tag))
  return {
    canonical: links.find(({ rel }) => rel === 'canonical')?.['href'] ?? null,
    alternates: new Map(
      links
        .filter(({ rel, hreflang }) => rel === 'alternate' && hreflang)
        .map(({ hreflang = '', href = '' }) => [hreflang, href]),
    ),
    noindex: metas.some(
      ({ name, content = '' }) => name === 'robots' && content.includes('noindex'),
    ),
    lang: readAttributes(/<html\b[^>]*>/.exec(html)?.[0] ?? '')['lang'] ?? '',
    image: metas.find(({ property }) => property === 'og:image')?.['content'] ?? null,
  }
}

/** The http(s) links of a page as absolute URLs with their fragments. */
export function readLinks(html: string, address: string): string[] {
  return [...withoutScripts(html).matchAll(/<a\b[^>]*>/g)].flatMap(([tag]) => {
    const { href } = readAttributes(tag)
    const url = href !== undefined && URL.canParse(href, address) ? new URL(href, address) : null
    return url && /^https?:$/.test(url.protocol) ? [url.href] : []
  })
}

export const hasAnchor = (html: string, id: string): boolean =>
  withoutScripts(html).includes(` id="${id}"`)

export type SitemapEntry = { loc: string; alternates: ReadonlyMap<string, string> }

/** The addresses in a sitemap or a sitemap index, with their hreflang alternates. */
export function readSitemap(xml: string): SitemapEntry[] {
  return [...xml.matchAll(/<(?:url|sitemap)>([\s\S]*?)<\/(?:url|sitemap)>/g)].map(
    ([, inner = '']) => ({
      loc: decodeEntities(/<loc>([^<]*)<\/loc>/.exec(inner)?.[1] ?? ''),
      alternates: new Map(
        [...inner.matchAll(/<xhtml:link\b[^>]*>/g)].map(([tag]) => {
          const { hreflang = '', href = '' } = readAttributes(tag)
          return [hreflang, href]
        }),
      ),
    }),
  )
}
