import type { LocaleCode } from '../../shared/i18n/locales'
import { utcDay } from '../../shared/utc-day'
import type { Database } from '../db/database'
import { addSearchCounts, type SearchCount } from '../db/search-counts'
import { maskText } from '../telemetry/logged-path'
import type { Logger } from '../telemetry/logger'

type Search = { locale: LocaleCode; query: string; results: number }
export type SearchCounter = {
  /** `group`: the group of the visitor's address; it is forgotten after some seconds. */
  count: (group: string, search: Search) => void
  stop: () => Promise<void>
}

const flushMs = 2000
/** A visitor who types on within this time has not finished the query. */
const settleMs = 3000
/** Further searches until the next flush are not counted. */
const maxPending = 2000
const maxQueryLength = 200

/** The words that are counted. E-mail addresses are masked. */
const wordsOf = (query: string): string =>
  maskText(query.replaceAll('\0', '').trim().toLowerCase())
    .replace(/\s+/g, ' ')
    .slice(0, maxQueryLength)

/** Whether one query was typed on, or shortened, to the other. */
const isSameTyping = (before: Search, next: Search): boolean =>
  before.locale === next.locale &&
  (next.query.startsWith(before.query) || before.query.startsWith(next.query))

/**
 * Counts what visitors search for, by day, language and words. The counts show authors which
 * content is wanted; they hold nothing about the visitor. The search dialog asks while a visitor
 * types: of `pro`, `prox` and `proxy` the last one counts.
 */
export function countSearches({
  database,
  log,
  now = Date.now,
}: {
  database: Database
  log: Pick<Logger, 'warn'>
  now?: () => number
}): SearchCounter {
  /** The last search of each group of addresses, until it is old enough to count. */
  const typed = new Map<string, Search & { at: number }>()
  const pending = new Map<string, SearchCount>()

  function settle({ locale, query, results, at }: Search & { at: number }): void {
    const day = utcDay(at)
    const key = JSON.stringify([day, locale, query, results > 0])
    const row = pending.get(key)
    if (row) pending.set(key, { ...row, count: row.count + 1, results })
    else if (pending.size < maxPending) pending.set(key, { day, locale, query, count: 1, results })
  }
  async function flush(minAgeMs: number): Promise<void> {
    const settledBefore = now() - minAgeMs
    for (const [group, search] of typed)
      if (search.at <= settledBefore) {
        settle(search)
        typed.delete(group)
      }
    const rows = [...pending.values()]
    pending.clear()
    // The words are not logged, because they may contain a person's name.
    await addSearchCounts(database, rows).catch((error: unknown) =>
      log.warn({ err: error }, 'searches could not be counted'),
    )
  }
  const timer = setInterval(() => void flush(settleMs), flushMs).unref()
  return {
    count(group, search) {
      const query = wordsOf(search.query)
      if (query === '') return
      const next = { ...search, query, at: now() }
      const before = typed.get(group)
      if (before && !isSameTyping(before, next)) settle(before)
      if (before || typed.size < maxPending) typed.set(group, next)
    },
    async stop() {
      clearInterval(timer)
      await flush(0)
    },
  }
}
