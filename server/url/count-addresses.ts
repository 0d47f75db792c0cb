import type { IncomingMessage } from 'node:http'
import { dayMs } from '../../shared/constants'
import { reservedPathOf } from '../../shared/reserved-paths'
import { utcDay } from '../../shared/utc-day'
import { addAddressCounts, type AddressCount } from '../db/address-counts'
import type { Database } from '../db/database'
import { loggedPath } from '../telemetry/logged-path'
import type { Logger } from '../telemetry/logger'
import type { Hosts } from './hosts'

/** Express cuts from `url` the path at which it mounts a row; `originalUrl` stays complete. */
type CountedRequest = Pick<IncomingMessage, 'headers' | 'url'> & { originalUrl?: string }
export type AddressCounter = {
  /** Counts an answer to a request for a page. */
  count: (request: CountedRequest, status: number) => void
  stop: () => Promise<void>
}

const flushMs = 5000
/** Further addresses until the next flush are not counted. */
const maxPending = 1000
const maxPathLength = 300
const redirects = new Set([301, 302, 307, 308])

/** The page of a `Referer`, without query. Empty for none. */
function referrerOf(referer: string | undefined): string {
  if (referer === undefined || !URL.canParse(referer)) return ''
  const { origin, pathname } = new URL(referer)
  return (origin + loggedPath(pathname)).slice(0, maxPathLength)
}

/**
 * Counts missing pages and redirects by address, for the console (spec 8.13). A missing page counts
 * when a browser opened it (`Sec-Fetch-Dest: document`): scanners ask for thousands that no page
 * links.
 */
export function countAddresses({
  database,
  hosts,
  log,
}: {
  database: Database
  hosts: Hosts
  log: Logger
}): AddressCounter {
  const pending = new Map<string, AddressCount>()
  async function flush(): Promise<void> {
    const rows = [...pending.values()]
    pending.clear()
    await addAddressCounts(database, rows).catch((error: unknown) =>
      log.warn({ err: error }, 'missing addresses could not be counted'),
    )
  }
  const timer = setInterval(() => void flush(), flushMs).unref()
  return {
    count({ headers, url = '', originalUrl = url }, status) {
      const isMissing = status === 404 && headers['sec-fetch-dest'] === 'document'
      if (!isMissing && !redirects.has(status)) return
      const path = loggedPath(originalUrl).slice(0, maxPathLength)
      if (reservedPathOf(path) !== null) return
      const host = hosts.hostNameOf(headers.host ?? '')
      const referrer = isMissing ? referrerOf(headers.referer) : ''
      const now = Date.now()
      const key = `${Math.floor(now / dayMs)} ${host} ${status} ${path} ${referrer}`
      const row = pending.get(key)
      if (row) row.count += 1
      else if (pending.size < maxPending) {
        const day = utcDay(now)
        pending.set(key, { day, host, path, status, referrer, count: 1 })
      }
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
