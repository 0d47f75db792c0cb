import { randomBytes } from 'node:crypto'
import { envelope } from '../../shared/constants'
import type { Database } from './database'

/** A private key of the envelope (PEM, PKCS #8) and when it was added (ms). */
export type StoredKey = { name: string; value: string; created_at: number }

/** A secret of the site by its name, made at the first use: whichever process writes it first has made it for all. */
export function secretOf(database: Database, name: string): Promise<string> {
  return database.run(async (db) => {
    const read = () =>
      db
        .selectFrom('secrets')
        .select('value')
        .where('name', '=', name)
        .where('kind', '=', 'secret')
        .executeTakeFirst()
    const known = await read()
    if (known) return known.value
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
    const { value } = (await read()) ?? { value: '' }
    if (!value) throw new Error(`the secret ${name} is not in the database`)
    return value
  })
}

/** The keys that open envelopes, newest first. */
export function envelopeKeys(database: Database): Promise<StoredKey[]> {
  return database.run((db) =>
    db
      .selectFrom('secrets')
      .select(['name', 'value', 'created_at'])
      .where('kind', '=', 'envelope-key')
      .orderBy('created_at', 'desc')
      .orderBy('name')
      .limit(envelope.keys)
      .execute(),
  )
}

/** Adds a key under its name; false when that name is taken. */
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

/** Removes a key: what was wrapped for it can be read no more. False when there is none of that name. */
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
