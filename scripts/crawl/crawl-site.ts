import { fetchPage, type Fetched } from './fetch-page'
import {
  hasAnchor,
  readHead,
  readLinks,
  readSitemap,
  type Head,
  type SitemapEntry,
} from './read-page'

export type Finding = { kind: string; address: string; detail: string }
export type CrawlReport = {
  sitemaps: number
  listed: number
  reached: number
  milliseconds: number
  findings: Finding[]
}
type Page = { status: number; head: Head; links: readonly string[]; body: string }

const same = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
const withoutFragment = (address: string): string => address.split('#', 1)[0] ?? address

/** Addresses that are no pages of the site's own: the application, files, calls. */
const elsewhere = /^\/(?:app|downloads|assets|api|_og)(?:\/|$|\?)|\.(?:xml|txt|md|svg)$/

/** Runs work on a growing list, so many at a time. */
async function workThrough<T>(
  queue: T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let at = 0
  let running = 0
  await new Promise<void>((resolve, reject) => {
    const next = (): void => {
      if (at >= queue.length && running === 0) return resolve()
      while (running < atOnce && at < queue.length) {
        const item = queue[at++] as T // at is below the length
        running += 1
        work(item).then(() => {
          running -= 1
          next()
        }, reject)
      }
    }
    next()
  })
}

/**
 * Walks over a site as a search engine does: every address of the sitemaps of its three hosts, and every page that
 * links lead to from `/` of each. Says what is not as the site promises (decisions 9); an empty list is a sound site.
 */
export async function crawlSite(origins: readonly string[], atOnce = 4): Promise<CrawlReport> {
  const started = performance.now()
  const findings: Finding[] = []
  const find = (kind: string, address: string, detail = ''): void =>
    void findings.push({ kind, address, detail })
  const pages = new Map<string, Page>()
  const own = new Set(origins.map((origin) => new URL(origin).origin))

  async function get(address: string): Promise<Fetched> {
    try {
      return await fetchPage(address)
    } catch (error) {
      return {
        status: 0,
        location: undefined,
        type: '',
        robots: '',
        body: error instanceof Error ? error.message : String(error),
      }
    }
  }

  async function visit(address: string): Promise<Page> {
    const known = pages.get(address)
    if (known) return known
    const { status, location, body, robots } = await get(address)
    const html = status === 200 ? body : ''
    const head = readHead(html)
    const page = {
      status,
      head: { ...head, noindex: head.noindex || robots.includes('noindex') },
      links: status === 200 ? readLinks(html, address) : location ? [location] : [],
      body: html,
    }
    pages.set(address, page)
    return page
  }

  // The sitemaps: which addresses they promise.
  const listed = new Map<string, SitemapEntry>()
  let sitemaps = 0
  for (const origin of own) {
    const index = await get(`${origin}/sitemap.xml`)
    if (index.status !== 200)
      find('sitemap index', `${origin}/sitemap.xml`, `status ${index.status}`)
    for (const { loc } of readSitemap(index.body)) {
      sitemaps += 1
      const part = await get(loc)
      if (part.status !== 200) find('sitemap', loc, `status ${part.status}`)
      for (const entry of readSitemap(part.body)) {
        if (listed.has(entry.loc)) find('listed twice', entry.loc)
        listed.set(entry.loc, entry)
        if (new URL(entry.loc).origin !== new URL(loc).origin)
          find('listed on another host', entry.loc, loc)
      }
    }
  }
  await workThrough([...listed.values()], atOnce, async ({ loc, alternates }) => {
    const { status, head } = await visit(loc)
    if (status !== 200) return find('listed page', loc, `status ${status}`)
    if (head.canonical !== loc) find('canonical', loc, `${head.canonical}`)
    if (head.noindex) find('listed, but noindex', loc)
    if (!same(head.alternates, alternates)) find('hreflang of page and sitemap differ', loc)
    if (alternates.size > 0 && ![...alternates.values()].includes(loc))
      find('hreflang without itself', loc)
  })
  for (const { loc, alternates } of listed.values())
    for (const [tag, target] of alternates) {
      const back = listed.get(target)
      if (!back) find('hreflang to a page that is not listed', loc, `${tag} ${target}`)
      else if (![...back.alternates.values()].includes(loc))
        find('hreflang not reciprocal', loc, `${tag} ${target}`)
    }

  // The links: where a visitor gets from the home pages.
  const queue = [...own].map((origin) => ({ address: `${origin}/`, from: '(start)' }))
  const seen = new Set(queue.map(({ address }) => address))
  const anchors = new Map<string, string>()
  await workThrough(queue, atOnce, async ({ address, from }) => {
    const page = await visit(address)
    if (page.status >= 300 && page.status < 400)
      return find('link to a redirect', address, `from ${from} to ${page.links[0]}`)
    if (page.status !== 200)
      return find('broken link', address, `from ${from}, status ${page.status}`)
    if (page.head.canonical === null) find('page without canonical', address, `from ${from}`)
    for (const link of page.links) {
      const target = withoutFragment(link)
      const url = new URL(target)
      if (!own.has(url.origin)) continue
      if (link !== target) anchors.set(link, address)
      if (seen.has(target)) continue
      seen.add(target)
      if (elsewhere.test(url.pathname)) continue
      queue.push({ address: target, from: address })
    }
  })
  for (const [link, from] of anchors) {
    const page = pages.get(withoutFragment(link))
    const id = decodeURIComponent(new URL(link).hash.slice(1))
    if (page?.status === 200 && id !== '' && !hasAnchor(page.body, id))
      find('link to a missing anchor', link, `from ${from}`)
  }
  for (const loc of listed.keys()) if (!seen.has(loc)) find('orphan', loc, 'no link leads to it')
  for (const address of seen) {
    const page = pages.get(address)
    if (
      page?.status === 200 &&
      page.head.canonical === address &&
      !page.head.noindex &&
      !listed.has(address)
    )
      find('not in a sitemap', address)
  }
  return {
    sitemaps,
    listed: listed.size,
    reached: [...seen].filter((address) => pages.get(address)?.status === 200).length,
    milliseconds: performance.now() - started,
    findings,
  }
}
