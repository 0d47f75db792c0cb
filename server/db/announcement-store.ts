import type { Selectable, Transaction } from 'kysely'
import type { HostName } from '../../shared/i18n/locales'
import type { Database } from './database'
import type { Lease } from './leases'
import type { Tables } from './tables'

/** A page as it is now; without locales it does not exist any more. */
export type PageState = {
  page: string
  state: string
  locales: readonly string[]
}
export type AnnouncedUrl = { host: HostName; url: string }
export type Batch = Selectable<Tables['announcement_batches']>

/** The row of `announced_pages` that says that the first comparison was completed. */
const firstComparison = '*'
/** Rows per statement, below the limits on parameters of both databases. */
const maxRowsPerInsert = 5000

/** Writes of a transaction that only the holder of the lease may do. Undefined when it lost it. */
const asHolder = <T>(
  database: Database,
  lease: Lease,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T | undefined> =>
  database.run((db) =>
    db
      .transaction()
      .execute(async (transaction) =>
        (await lease.renewIn(transaction)) ? work(transaction) : undefined,
      ),
  )

/** Whether all pages were recorded once, so that differences are changes. */
export const hasFirstComparison = (database: Database): Promise<boolean> =>
  database.run(async (db) => {
    const row = await db
      .selectFrom('announced_pages')
      .select('page')
      .where('page', '=', firstComparison)
      .executeTakeFirst()
    return row !== undefined
  })

export const completeFirstComparison = (database: Database): Promise<unknown> =>
  database.run((db) =>
    db
      .insertInto('announced_pages')
      .values({ page: firstComparison, state: '', locales: '' })
      .onConflict((conflict) => conflict.column('page').doNothing())
      .execute(),
  )

/** Up to `limit` recorded pages whose names sort after `after`, in order. */
export const listRecordedPages = (
  database: Database,
  after: string,
  limit: number,
): Promise<string[]> =>
  database.run(async (db) => {
    const rows = await db
      .selectFrom('announced_pages')
      .select('page')
      .where('page', '>', after)
      .orderBy('page')
      .limit(limit)
      .execute()
    return rows.map(({ page }) => page)
  })

/**
 * Records how pages are now, and queues the URLs of those that changed: in one transaction, so that
 * a change is queued exactly once. `urlsOf` has the URLs of a page in the languages that it has or
 * had. Without it nothing is queued. Resolves to false when the lease is lost.
 */
export async function recordPages(
  database: Database,
  lease: Lease,
  pages: readonly PageState[],
  urlsOf: ((page: string, locales: readonly string[]) => AnnouncedUrl[]) | null,
): Promise<boolean> {
  const done = await asHolder(database, lease, async (transaction) => {
    const names = pages.map(({ page }) => page)
    const rows = await transaction
      .selectFrom('announced_pages')
      .selectAll()
      .where('page', 'in', names)
      .execute()
    const known = new Map(rows.map((row) => [row.page, row]))
    const changed = pages.filter(({ page, state }) => state !== (known.get(page)?.state ?? ''))
    const urls = changed.flatMap(({ page, locales }) => {
      const before = known.get(page)?.locales.split(',').filter(Boolean) ?? []
      return urlsOf ? urlsOf(page, [...new Set([...before, ...locales])]) : []
    })
    await queueUrls(transaction, urls)
    await savePages(transaction, changed)
    return true
  })
  return done ?? false
}

async function queueUrls(
  transaction: Transaction<Tables>,
  urls: readonly AnnouncedUrl[],
): Promise<void> {
  const at = Date.now()
  for (let start = 0; start < urls.length; start += maxRowsPerInsert)
    await transaction
      .insertInto('announcements')
      .values(urls.slice(start, start + maxRowsPerInsert).map((row) => ({ ...row, at })))
      // It waits already, and will announce this change too.
      .onConflict((conflict) => conflict.column('url').where('batch_id', 'is', null).doNothing())
      .execute()
}

async function savePages(
  transaction: Transaction<Tables>,
  pages: readonly PageState[],
): Promise<void> {
  const gone = pages.filter(({ locales }) => locales.length === 0).map(({ page }) => page)
  const present = pages.filter(({ locales }) => locales.length > 0)
  if (gone.length > 0)
    await transaction.deleteFrom('announced_pages').where('page', 'in', gone).execute()
  if (present.length === 0) return
  await transaction
    .insertInto('announced_pages')
    .values(present.map((page) => ({ ...page, locales: page.locales.join() })))
    .onConflict((conflict) =>
      conflict.column('page').doUpdateSet((expression) => ({
        state: expression.ref('excluded.state'),
        locales: expression.ref('excluded.locales'),
      })),
    )
    .execute()
}

/** Makes batches of one host and at most `maxUrls` of all URLs that wait. */
export async function formBatches(
  database: Database,
  lease: Lease,
  hosts: readonly HostName[],
  maxUrls: number,
): Promise<void> {
  for (const host of hosts)
    while ((await asHolder(database, lease, (one) => formBatch(one, host, maxUrls))) === maxUrls);
}

/** Number of URLs of the new batch. */
async function formBatch(
  transaction: Transaction<Tables>,
  host: HostName,
  maxUrls: number,
): Promise<number> {
  const waiting = await transaction
    .selectFrom('announcements')
    .select('id')
    .where('batch_id', 'is', null)
    .where('host', '=', host)
    .orderBy('id')
    .limit(maxUrls)
    .execute()
  const last = waiting.at(-1)
  if (!last) return 0
  const now = Date.now()
  const { id } = await transaction
    .insertInto('announcement_batches')
    .values({
      at: now,
      host,
      urls: waiting.length,
      attempts: 0,
      next_at: now,
      status: null,
      error: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('announcements')
    .set({ batch_id: id })
    .where('batch_id', 'is', null)
    .where('host', '=', host)
    .where('id', '<=', last.id)
    .execute()
  return waiting.length
}

/** When the next batch is due (ms since 1970); null when none waits. */
export const nextAttempt = (database: Database): Promise<number | null> =>
  database.run(async (db) => {
    const row = await db
      .selectFrom('announcement_batches')
      .select('next_at')
      .where('next_at', 'is not', null)
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst()
    return row?.next_at ?? null
  })

/**
 * Begins an attempt to send the oldest batch that is due. Until `retryAt` another process that
 * takes the lease over leaves it alone. Undefined when none is due or the lease is lost.
 */
export const beginAttempt = (
  database: Database,
  lease: Lease,
  retryAt: number,
): Promise<(Batch & { list: string[] }) | undefined> =>
  asHolder(database, lease, async (transaction) => {
    const due = await transaction
      .selectFrom('announcement_batches')
      .select('id')
      .where('next_at', '<=', Date.now())
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!due) return undefined
    const batch = await transaction
      .updateTable('announcement_batches')
      .set((expression) => ({ attempts: expression('attempts', '+', 1), next_at: retryAt }))
      .where('id', '=', due.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const rows = await transaction
      .selectFrom('announcements')
      .select('url')
      .where('batch_id', '=', due.id)
      .orderBy('id')
      .execute()
    return { ...batch, list: rows.map(({ url }) => url) }
  })

/** Records the result of an attempt. `next_at` null: there is no further one. */
export const endAttempt = (
  database: Database,
  id: number,
  result: Pick<Batch, 'status' | 'error' | 'next_at'>,
): Promise<unknown> =>
  database.run((db) =>
    db.updateTable('announcement_batches').set(result).where('id', '=', id).execute(),
  )

/** The newest batches, and up to `maxUrls` URLs of each. */
export const listBatches = (
  database: Database,
  limit: number,
  maxUrls: number,
): Promise<Array<Batch & { list: string[] }>> =>
  database.run(async (db) => {
    const batches = await db
      .selectFrom('announcement_batches')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const lists = await Promise.all(
      batches.map(({ id }) =>
        db
          .selectFrom('announcements')
          .select('url')
          .where('batch_id', '=', id)
          .orderBy('id')
          .limit(maxUrls)
          .execute(),
      ),
    )
    return batches.map((batch, index) => ({
      ...batch,
      list: (lists[index] ?? []).map(({ url }) => url),
    }))
  })
