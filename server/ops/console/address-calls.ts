import { setImmediate as nextTurn } from 'node:timers/promises'
import { dayMs } from '../../../shared/constants'
import {
  addressDays,
  explainAddress as explainCall,
  listAddresses,
  proposeRedirect,
} from '../../../shared/console/addresses'
import { hostLanguages, isHostName } from '../../../shared/i18n/locales'
import { disabledRoutes } from '../../../shared/routes/nav'
import { utcDay } from '../../../shared/utc-day'
import { readAddressCounts } from '../../db/address-counts'
import { explainAddress } from '../../pages/explain-address'
import { searchWordsOf } from '../../pages/not-found-suggestions'
import { canonicalize } from '../../url/canonicalize'
import { splitTarget } from '../../url/decode-path'
import type { OpsServices } from '../ops-call'
import { implementCall, type ConsoleCallRow } from './define-console-call'

const maxRedirects = 2000
/** Addresses that are decided in one turn of the event loop. */
const sliceSize = 100
const maxMissing = 500
const searchTimeoutMs = 1000
const firstDay = (): string => utcDay(Date.now() - addressDays * dayMs)

/**
 * Hits of each row of the redirect table, by its line: every counted address is decided anew. Other
 * requests are answered in between.
 */
async function hitsByLine({
  database,
  urlContext,
}: Pick<OpsServices, 'database' | 'urlContext'>): Promise<Map<number, number>> {
  const context = urlContext()
  const hits = new Map<number, number>()
  const rows = await readAddressCounts(database, firstDay(), 'redirects', maxRedirects)
  for (const [index, { host, path, count }] of rows.entries()) {
    if (index % sliceSize === 0) await nextTurn()
    const decision = canonicalize({ host, ...splitTarget(path) }, context)
    if (decision.kind !== 'redirect') continue
    for (const rule of decision.appliedRules) {
      const line = Number(/^redirect table, line (\d+)$/.exec(rule)?.[1] ?? 0)
      if (line > 0) hits.set(line, (hits.get(line) ?? 0) + count)
    }
  }
  return hits
}

/** A visitor without preferences, or with those of a header. */
const visitorOf = (acceptLanguage: string | undefined) => ({
  method: 'GET',
  acceptLanguage,
  hasCookies: false,
  cookieLocale: null,
  fetchSite: undefined,
  referer: undefined,
  userAgent: undefined,
})

/** Redirects, missing pages, and what URL rules do to an address. */
export const addressCalls: readonly ConsoleCallRow[] = [
  implementCall(listAddresses, {
    createHandler: (services) => async () => {
      const [hits, missing] = await Promise.all([
        hitsByLine(services),
        readAddressCounts(services.database, firstDay(), 'missing', maxMissing),
      ])
      const redirects = services.store.redirects().map(({ from, to, status, locales, line }) => ({
        ...{ from, to, status, line },
        locales: locales?.join(', ') ?? '',
        hits: hits.get(line) ?? 0,
      }))
      return { redirects, missing }
    },
  }),
  implementCall(proposeRedirect, {
    createHandler:
      ({ search, store, urlContext }) =>
      async ({ host, path }) => {
        const name = isHostName(host) ? host : 'en'
        const decision = canonicalize({ host: name, ...splitTarget(path) }, urlContext())
        const locale = decision.kind === 'page' ? decision.locale : hostLanguages[name]
        const [first] = await search.suggestPages(
          {
            query: `${searchWordsOf(path)} `,
            locale,
            collection: null,
            limit: 1,
            disabledRoutes: disabledRoutes(store.siteConfig().pre_sales),
          },
          searchTimeoutMs,
        )
        const { url: to = '/', title = '' } = first ?? {}
        const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
        return { title, row: `- { from: ${quote(path)}, to: ${quote(to)} }` }
      },
  }),
  implementCall(explainCall, {
    createHandler:
      (services) =>
      ({ url, acceptLanguage }) => {
        const { rules, ...explanation } = explainAddress(url, visitorOf(acceptLanguage), services)
        return { ...explanation, rules: [...rules] }
      },
  }),
]
