import { randomBytes } from 'node:crypto'
import { envelope } from '../../shared/constants'
import type { Database } from './database'

/** A private key that opens envelopes: PKCS #8 PEM, and when it was added (ms since 1970). */
type EnvelopeKey = { name: string; value: string; created_at: number }

/**
 * A secret of the site by its name, created at the first use. When several processes create it at
 * once, the first row wins and all of them use it.
 */
export function getOrCreateSecret(database: Database, name: string): Promise<string> {
  return database.run(async (db) => {
    const readValue = () =>
      db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', name)
        .where('kind', '=', 'secret')
        .executeTakeFirst()
    const existing = await readValue()
    if (existing) return existing.value
    await db
      .insertInto('secrets')
      .values({
        name,
        kind: 'secret',
        value: randomBytes(32).toString('base64url'),
        created_at: Date.now(),
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    const { value } = (await readValue()) ?? { value: '' }
    if (!value) throw new Error(`the secret ${name} is not in the database`)
    return value
  })
}

/** The keys of the database, newest first. */
export function listEnvelopeKeys(database: Database): Promise<EnvelopeKey[]> {
  return database.run((db) =>
    db
      .selectFrom('secrets')
      .select(['name', 'value', 'created_at'])
      .where('kind', '=', 'envelope-key')
      .orderBy('created_at', 'desc')
      .orderBy('name')
      .limit(envelope.maxActiveKeys)
      .execute(),
  )
}

/** Adds a key. Returns false when its name is taken. */
export function addEnvelopeKey(database: Database, name: string, value: string): Promise<boolean> {
  return database.run(async (db) => {
    const added = await db
      .insertInto('secrets')
      .values({ name, kind: 'envelope-key', value, created_at: Date.now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    return added !== undefined
  })
}

/**
 * Removes a key; envelopes sealed for it can no longer be opened. Returns false when there is no
 * key of that name.
 */
export function removeEnvelopeKey(database: Database, name: string): Promise<boolean> {
  return database.run(async (db) => {
    const removed = await db
      .deleteFrom('secrets')
      .where('name', '=', name)
      .where('kind', '=', 'envelope-key')
      .returning('name')
      .executeTakeFirst()
    return removed !== undefined
  })
}
