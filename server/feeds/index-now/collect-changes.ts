import {
  completeFirstComparison,
  hasFirstComparison,
  listRecordedPages,
  recordPages,
} from '../../db/announcement-store'
import type { Database } from '../../db/database'
import type { Lease } from '../../db/leases'
import type { Logger } from '../../telemetry/logger'
import type { createPageStates } from './page-states'

type Services = {
  database: Database
  lease: Lease
  log: Logger
  pages: ReturnType<typeof createPageStates>
}

const groupSize = 100

function* inGroups(names: readonly string[]): Generator<string[]> {
  for (let start = 0; start < names.length; start += groupSize)
    yield names.slice(start, start + groupSize)
}

/**
 * Compares pages with what was recorded of them, and queues the URLs of those that differ. The very
 * first comparison only records. Each group waits for the database, so requests run in between.
 * Resolves to false when the lease is lost.
 */
export function createCollector({ database, lease, log, pages }: Services) {
  const record = async (names: readonly string[], silently: boolean): Promise<boolean> =>
    names.length === 0 ||
    recordPages(
      database,
      lease,
      names.map((name) => pages.describe(name)),
      silently ? null : pages.urlsOf,
    )

  /** Compares all pages, and recorded ones that are gone. */
  async function collectAll(): Promise<boolean> {
    const isFirst = !(await hasFirstComparison(database))
    for (const names of pages.groups()) if (!(await record(names, isFirst))) return false
    if (isFirst) {
      await completeFirstComparison(database)
      log.info('all pages are recorded: changes from now on are announced')
      return true
    }
    for (let after = ''; ;) {
      const names = await listRecordedPages(database, after, groupSize)
      const last = names.at(-1)
      if (last === undefined) return true
      const known = names.filter((name) => name.includes('/') || name.includes(':'))
      if (!(await record(known, false))) return false
      after = last
    }
  }

  /** Compares the pages whose surrogate tags changed. */
  async function collectChanged(tags: ReadonlySet<string>): Promise<boolean> {
    const names = pages.changedBy(tags)
    if (names === null) return collectAll()
    for (const group of inGroups(names)) if (!(await record(group, false))) return false
    return true
  }

  return { collectAll, collectChanged }
}
