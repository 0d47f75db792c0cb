import { reservedPathOf } from '../../shared/reserved-paths'
import { fetchPage, type FetchedPage } from './fetch-page'
import {
  hasAnchor,
  readHead,
  readLinks,
  readSitemap,
  type Head,
  type SitemapEntry,
} from './read-page'

export type Finding = { kind: string; address: string; detail: string }
type CrawlReport = {
  sitemaps: number
  /** Pages in the sitemaps, and pages that links lead to. */
  listed: number
  reached: number
  milliseconds: number
  findings: Finding[]
}

type Page = { status: number; head: Head; links: readonly string[]; body: string }
type Listed = ReadonlyMap<string, SitemapEntry>
type Report = (kind: string, address: string, detail?: string) => void
/** What the steps of a crawl share. `visit` fetches each address once. */
type Crawl = {
  origins: ReadonlySet<string>
  concurrency: number
  pages: ReadonlyMap<string, Page>
  visit: (address: string) => Promise<Page>
  report: Report
}

const areEqual = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
const withoutFragment = (address: string): string => address.split('#', 1)[0] ?? address

/** Whether a path is not a page: a reserved path or a file. */
const isNoPage = (path: string): boolean =>
  reservedPathOf(path) !== null || /\.(?:xml|txt|md|svg|yaml)$/.test(path)

/** Handles the items of a queue, `concurrency` at a time. `handle` may add items to the queue. */
async function processQueue<T>(
  queue: T[],
  concurrency: number,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  let running = 0
  await new Promise<void>((resolve, reject) => {
    const startNext = (): void => {
      const batch = queue.slice(next, next + concurrency - running)
      next += batch.length
      running += batch.length
      for (const item of batch)
        handle(item).then(() => {
          running -= 1
          startNext()
        }, reject)
      if (running === 0) resolve()
    }
    startNext()
  })
}

/** A failed request counts as a page with status 0. */
async function fetchOrFail(address: string): Promise<FetchedPage> {
  try {
    return await fetchPage(address)
  } catch (error) {
    const body = error instanceof Error ? error.message : String(error)
    return { status: 0, location: undefined, type: '', robots: '', body }
  }
}

function parsePage({ status, location, body, robots }: FetchedPage, address: string): Page {
  const html = status === 200 ? body : ''
  const head = readHead(html)
  const redirect = location ? [location] : []
  return {
    status,
    head: { ...head, noindex: head.noindex || robots.includes('noindex') },
    links: status === 200 ? readLinks(html, address) : redirect,
    body: html,
  }
}

/** Reads the sitemaps of all hosts: the pages that they list. */
async function readSitemaps({
  origins,
  report,
}: Crawl): Promise<{ count: number; listed: Listed }> {
  const listed = new Map<string, SitemapEntry>()
  let count = 0
  for (const origin of origins) {
    const index = await fetchOrFail(`${origin}/sitemap.xml`)
    if (index.status !== 200)
      report('sitemap index', `${origin}/sitemap.xml`, `status ${index.status}`)
    for (const { loc: sitemap } of readSitemap(index.body)) {
      count += 1
      const { status, body } = await fetchOrFail(sitemap)
      if (status !== 200) report('sitemap', sitemap, `status ${status}`)
      for (const entry of readSitemap(body)) {
        if (listed.has(entry.loc)) report('listed twice', entry.loc)
        listed.set(entry.loc, entry)
        if (new URL(entry.loc).origin !== new URL(sitemap).origin)
          report('listed on another host', entry.loc, sitemap)
      }
    }
  }
  return { count, listed }
}

/** Checks that each listed page exists and agrees with its sitemap entry. */
async function checkListedPages({ concurrency, visit, report }: Crawl, listed: Listed) {
  await processQueue([...listed.values()], concurrency, async ({ loc, alternates }) => {
    const { status, head } = await visit(loc)
    if (status !== 200) return report('listed page', loc, `status ${status}`)
    if (head.canonical !== loc) report('canonical', loc, String(head.canonical))
    if (head.noindex) report('listed, but noindex', loc)
    if (!areEqual(head.alternates, alternates)) report('hreflang of page and sitemap differ', loc)
    if (alternates.size > 0 && ![...alternates.values()].includes(loc))
      report('hreflang without itself', loc)
  })
}

/** Checks that every page that an hreflang link names links back. */
function checkAlternates({ report }: Crawl, listed: Listed): void {
  for (const { loc, alternates } of listed.values())
    for (const [tag, target] of alternates) {
      const other = listed.get(target)
      if (!other) report('hreflang to a page that is not listed', loc, `${tag} ${target}`)
      else if (![...other.alternates.values()].includes(loc))
        report('hreflang not reciprocal', loc, `${tag} ${target}`)
    }
}

type Reached = { addresses: ReadonlySet<string>; anchors: ReadonlyMap<string, string> }

/**
 * Follows all links from the home pages. Returns the addresses within the site, and the links with
 * a fragment, each with a page that has the link.
 */
async function followLinks({ origins, concurrency, visit, report }: Crawl): Promise<Reached> {
  const queue = [...origins].map((origin) => ({ address: `${origin}/`, from: '(start)' }))
  const addresses = new Set(queue.map(({ address }) => address))
  const anchors = new Map<string, string>()

  function addLink(link: string, from: string): void {
    const target = withoutFragment(link)
    const { origin, pathname } = new URL(target)
    if (!origins.has(origin)) return
    if (link !== target) anchors.set(link, from)
    if (addresses.has(target)) return
    addresses.add(target)
    if (!isNoPage(pathname)) queue.push({ address: target, from })
  }
  await processQueue(queue, concurrency, async ({ address, from }) => {
    const page = await visit(address)
    if (page.status >= 300 && page.status < 400)
      return report('link to a redirect', address, `from ${from} to ${page.links[0]}`)
    if (page.status !== 200)
      return report('broken link', address, `from ${from}, status ${page.status}`)
    if (page.head.canonical === null) report('page without canonical', address, `from ${from}`)
    for (const link of page.links) addLink(link, address)
  })
  return { addresses, anchors }
}

function checkAnchors({ pages, report }: Crawl, { anchors }: Reached): void {
  for (const [link, from] of anchors) {
    const page = pages.get(withoutFragment(link))
    const id = decodeURIComponent(new URL(link).hash.slice(1))
    if (page?.status === 200 && id !== '' && !hasAnchor(page.body, id))
      report('link to a missing anchor', link, `from ${from}`)
  }
}

/** Compares the listed pages with the linked ones. */
function checkCoverage({ pages, report }: Crawl, listed: Listed, { addresses }: Reached): void {
  for (const loc of listed.keys())
    if (!addresses.has(loc)) report('orphan', loc, 'no link leads to it')
  for (const address of addresses) {
    const page = pages.get(address)
    const shouldBeListed =
      page?.status === 200 && page.head.canonical === address && !page.head.noindex
    if (shouldBeListed && !listed.has(address)) report('not in a sitemap', address)
  }
}

/**
 * Crawls a site like a search engine: every address in the sitemaps of its three hosts, and every
 * page that links lead to from their home pages. Reports what differs from spec 9; a correct site
 * has no findings.
 */
export async function crawlSite(origins: readonly string[], concurrency = 4): Promise<CrawlReport> {
  const startedAt = performance.now()
  const findings: Finding[] = []
  const pages = new Map<string, Page>()
  const crawl: Crawl = {
    origins: new Set(origins.map((origin) => new URL(origin).origin)),
    concurrency,
    pages,
    async visit(address) {
      const visited = pages.get(address)
      if (visited) return visited
      const page = parsePage(await fetchOrFail(address), address)
      pages.set(address, page)
      return page
    },
    report: (kind, address, detail = '') => void findings.push({ kind, address, detail }),
  }
  const { count, listed } = await readSitemaps(crawl)
  await checkListedPages(crawl, listed)
  checkAlternates(crawl, listed)
  const reached = await followLinks(crawl)
  checkAnchors(crawl, reached)
  checkCoverage(crawl, listed, reached)
  return {
    sitemaps: count,
    listed: listed.size,
    reached: [...reached.addresses].filter((address) => pages.get(address)?.status === 200).length,
    milliseconds: performance.now() - startedAt,
    findings,
  }
}
