/** What a crawl reads of a page: its head, its links and the anchors they may lead to. Made for this site's own HTML. */
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
export const unescape = (text: string): string =>
  text.replace(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) =>
      decimal
        ? String.fromCodePoint(Number(decimal))
        : hex
          ? String.fromCodePoint(Number.parseInt(hex, 16))
          : (entities[name ?? ''] ?? whole),
  )

/** Attributes of an element's opening tag. */
function attributes(tag: string): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      unescape(value),
    ]),
  )
}

/** Scripts and comments hold text that only looks like elements. */
const withoutScripts = (html: string): string =>
  html.replace(/<script\b[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, '')

export function readHead(html: string): Head {
  const head = withoutScripts(html.slice(0, html.indexOf('</head>')))
  const links = [...head.matchAll(/<link\b[^>]*>/g)].map(([tag]) => attributes(tag))
  const metas = [...head.matchAll(/<meta\b[^>]*>/g)].map(([tag]) => attributes(tag))
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
    lang: attributes(/<html\b[^>]*>/.exec(html)?.[0] ?? '')['lang'] ?? '',
    image: metas.find(({ property }) => property === 'og:image')?.['content'] ?? null,
  }
}

/** Absolute addresses of all links of a page, with their fragments; what is no page (`mailto:`) is left out. */
export function readLinks(html: string, address: string): string[] {
  return [...withoutScripts(html).matchAll(/<a\b[^>]*>/g)].flatMap(([tag]) => {
    const { href } = attributes(tag)
    const url = href !== undefined && URL.canParse(href, address) ? new URL(href, address) : null
    return url && /^https?:$/.test(url.protocol) ? [url.href] : []
  })
}

export const hasAnchor = (html: string, id: string): boolean =>
  withoutScripts(html).includes(` id="${id}"`)

export type SitemapEntry = { loc: string; alternates: ReadonlyMap<string, string> }

/** Addresses of a sitemap or an index, with the alternates that it announces. */
export function readSitemap(xml: string): SitemapEntry[] {
  return [...xml.matchAll(/<(?:url|sitemap)>([\s\S]*?)<\/(?:url|sitemap)>/g)].map(
    ([, inner = '']) => ({
      loc: unescape(/<loc>([^<]*)<\/loc>/.exec(inner)?.[1] ?? ''),
      alternates: new Map(
        [...inner.matchAll(/<xhtml:link\b[^>]*>/g)].map(([tag]) => {
          const { hreflang = '', href = '' } = attributes(tag)
          return [hreflang, href]
        }),
      ),
    }),
  )
}
