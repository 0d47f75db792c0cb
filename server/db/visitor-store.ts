import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Database } from './database'
import type { Tables } from './tables'

/** Counts a referral code once per device. Returns false when it was counted before. */
export function countReferral(
  database: Database,
  deviceId: string,
  code: string,
): Promise<boolean> {
  return database.run(async (db) => {
    const inserted = await db
      .insertInto('referrals')
      .values({ device_id: deviceId, code, at: Date.now() })
      .onConflict((conflict) => conflict.columns(['device_id', 'code']).doNothing())
      .returning('code')
      .executeTakeFirst()
    return inserted !== undefined
  })
}

/** Stores where a visit came from. */
export async function recordSource(
  database: Database,
  source: Omit<Insertable<Tables['sources']>, 'id' | 'at'>,
): Promise<void> {
  await database.run((db) =>
    db
      .insertInto('sources')
      .values({ ...source, at: Date.now() })
      .execute(),
  )
}

/** Stores a fingerprint. A known one (same device, kind and value) only gets a new time. */
export async function recordFingerprint(
  database: Database,
  { device_id, log_type, data, base }: Omit<Tables['fingerprints'], 'at' | 'hash'>,
): Promise<void> {
  const at = Date.now()
  const hash = createHash('sha256').update(`${data}\n${base}`).digest('hex')
  await database.run((db) =>
    db
      .insertInto('fingerprints')
      .values({ device_id, log_type, hash, at, data, base })
      .onConflict((conflict) =>
        conflict.columns(['device_id', 'log_type', 'hash']).doUpdateSet({ at }),
      )
      .execute(),
  )
}

/** Stores the web vitals of one page view. */
export async function recordVitals(
  database: Database,
  vitals: Omit<Insertable<Tables['vitals']>, 'id' | 'at'>,
): Promise<void> {
  await database.run((db) =>
    db
      .insertInto('vitals')
      .values({ ...vitals, at: Date.now() })
      .execute(),
  )
}
