import type { Transaction } from 'kysely'
import type { Database } from './database'
import type { Tables } from './tables'

/** A task that at most one process of all machines does at a time. */
export type Lease = {
  /** Takes or renews the lease. False while another process has it. */
  take: () => Promise<boolean>
  /**
   * Renews the lease within a transaction, which stays exclusive until it ends. False when another
   * process has taken it: then nothing may be written.
   */
  renewIn: (transaction: Transaction<Tables>) => Promise<boolean>
  /** Gives it up, so that another process need not wait until it expires. */
  release: () => Promise<void>
}

/**
 * A lease by its name. It expires `ttlMs` after it was renewed last, so another process takes over
 * the task when this one ends or hangs. `holder` differs in every process.
 */
export function createLease(
  database: Database,
  { name, holder, ttlMs }: { name: string; holder: string; ttlMs: number },
): Lease {
  const renewIn: Lease['renewIn'] = async (transaction) => {
    const renewed = await transaction
      .updateTable('leases')
      .set({ expires_at: Date.now() + ttlMs })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .returning('name')
      .executeTakeFirst()
    return renewed !== undefined
  }
  return {
    renewIn,
    take: () =>
      database.run(async (db) => {
        const now = Date.now()
        const taken = await db
          .insertInto('leases')
          .values({ name, holder, expires_at: now + ttlMs })
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet({ holder, expires_at: now + ttlMs })
              .where((where) =>
                where.or([
                  where('leases.holder', '=', holder),
                  where('leases.expires_at', '<', now),
                ]),
              ),
          )
          .returning('name')
          .executeTakeFirst()
        return taken !== undefined
      }),
    release: () =>
      database.run(async (db) => {
        await db
          .deleteFrom('leases')
          .where('name', '=', name)
          .where('holder', '=', holder)
          .execute()
      }),
  }
}
