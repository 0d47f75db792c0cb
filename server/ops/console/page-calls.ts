import { dayMs } from '../../../shared/constants'
import {
  exportPages,
  listPages,
  purgePage,
  readPageDetails,
  type PageRow,
} from '../../../shared/console/pages'
import { isCollection } from '../../../shared/front-matter'
import { routeOfCollection } from '../../../shared/routes/table'
import { countPages } from '../../db/overview-rows'
import { readRouteVitals } from '../../db/route-vitals'
import { SiteError } from '../../errors'
import { csvParts } from '../insights/csv-text'
import type { Cell } from '../insights/insight-table'
import { PlainAnswer, type OpsServices } from '../ops-call'
import { startOfDay } from '../rollup/count-events-batch'
import { implementCall, type ConsoleCallRow } from './define-console-call'
import { pageDetails } from './page-details'
import { findPages, type FoundRow, type PageFilter } from './page-rows'

const pageRows = 200
/** Pages that one request looks at; the browser asks again from there. */
const maxScanned = 5000
const viewDays = 30
const exportColumns = [
  'page',
  'language',
  'url',
  'state',
  'why',
  'indexable',
  'why not',
  'words',
  'changed',
  'views',
  'search clicks',
  'LCP of the route (ms, p75)',
  'INP of the route (ms, p75)',
  'CLS of the route (p75)',
]
const noVitals: PageRow['vitals'] = { lcp: null, inp: null, cls: null }

/** The route of `blog/proxy-types` or `routes/pricing`, as web vitals name it. */
function routeOfPage(page: string): string {
  const [collection = '', id = ''] = page.split('/')
  return isCollection(collection) ? routeOfCollection[collection] : id
}

/** Adds words, counts and web vitals, with one query of each table for all rows. */
async function completeRows(
  { store, database }: OpsServices,
  found: readonly FoundRow[],
): Promise<PageRow[]> {
  const since = startOfDay(Date.now()) - viewDays * dayMs
  const paths = [...new Set(found.flatMap(({ path }) => (path ? [path] : [])))]
  const [countOf, vitals] = await Promise.all([
    countPages(database, paths, since),
    readRouteVitals(database),
  ])
  const vitalsOf = new Map(
    vitals.map(({ route, locale, lcp, inp, cls }) => [`${route} ${locale}`, { lcp, inp, cls }]),
  )
  return found.map(({ key, path, ...row }) => ({
    ...row,
    words: key === null ? null : store.countWords(key, row.locale),
    views: countOf('page', path, row.locale),
    searchClicks: countOf('search-click', path, row.locale),
    vitals: vitalsOf.get(`${routeOfPage(row.page)} ${row.locale}`) ?? noVitals,
  }))
}

async function listRows(
  services: OpsServices,
  filter: PageFilter,
  after: string,
): Promise<{ rows: PageRow[]; next: string | null }> {
  const found: FoundRow[] = []
  let scanned = 0
  for await (const { page, rows } of findPages(services, filter, after)) {
    found.push(...rows)
    scanned += 1
    if (found.length >= pageRows || scanned >= maxScanned)
      return { rows: await completeRows(services, found), next: page }
  }
  return { rows: await completeRows(services, found), next: null }
}

const cellsOf = ({ vitals: { lcp, inp, cls }, ...row }: PageRow): Cell[] => [
  row.page,
  row.locale,
  row.url,
  row.state,
  row.why,
  row.whyNotIndexable === '' ? 'yes' : 'no',
  row.whyNotIndexable,
  row.words,
  row.changed,
  row.views,
  row.searchClicks,
  lcp,
  inp,
  cls,
]

/** All rows for a file, as many at a time as a request lists. */
async function* exportRows(services: OpsServices, filter: PageFilter): AsyncGenerator<Cell[][]> {
  let after: string | null = ''
  while (after !== null) {
    const part: Awaited<ReturnType<typeof listRows>> = await listRows(services, filter, after)
    yield part.rows.map(cellsOf)
    after = part.next
  }
}

/** Every page in every language: the list, its file, details of one, and its purge. */
export const pageCalls: readonly ConsoleCallRow[] = [
  implementCall(listPages, {
    createHandler:
      (services) =>
      ({ after = '', ...filter }) =>
        listRows(services, filter, after),
  }),
  implementCall(exportPages, {
    createHandler: (services) => (filter) =>
      new PlainAnswer('text/csv', csvParts(exportColumns, exportRows(services, filter)), {
        'Content-Disposition': 'attachment; filename="pages.csv"',
      }),
  }),
  implementCall(readPageDetails, {
    createHandler:
      (services) =>
      ({ url }) =>
        pageDetails(services, url),
  }),
  implementCall(purgePage, {
    logged: ({ url }) => ({ url }),
    createHandler:
      ({ purge, hosts }) =>
      ({ url }) => {
        const isOwn = Object.values(hosts.origins).includes(new URL(url).origin)
        if (!isOwn) throw new SiteError('badRequest', 'url: not a URL of this site')
        return { purged: purge({ paths: [url] }) }
      },
  }),
]
