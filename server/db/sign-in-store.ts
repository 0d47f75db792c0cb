import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { signIn } from '../../shared/constants'
import type { Database } from './database'
import type { Tables } from './tables'

export type Identity = Pick<
  Tables['accounts'],
  'provider' | 'subject' | 'email' | 'name' | 'picture'
>
type Attribution = Pick<Tables['accounts'], 'language' | 'invite_code' | 'source' | 'referer'>
/** The user that a one-time token belongs to, as the application's server receives it. */
export type User = Omit<Tables['accounts'], 'signed_in_at' | 'used_at'>

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/**
 * Finds or creates the account of an identity and returns its id. The attribution is stored only
 * when the account is created.
 */
export function findOrCreateAccount(
  database: Database,
  identity: Identity,
  attribution: Attribution,
): Promise<string> {
  const now = Date.now()
  const { email, name, picture } = identity
  return database.run(async (db) => {
    const { id } = await db
      .insertInto('accounts')
      .values({ id: randomUUID(), ...identity, ...attribution, created_at: now, signed_in_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['provider', 'subject'])
          .doUpdateSet({ email, name, picture, signed_in_at: now }),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/**
 * Issues a token of 256 bits that is valid once, for 60 s. Only its hash is stored. Also deletes
 * tokens that expired more than 60 s ago.
 */
export async function issueToken(database: Database, accountId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = Date.now()
  await database.run(async (db) => {
    await db
      .deleteFrom('tokens')
      .where('expires_at', '<', now - signIn.tokenTtlMs)
      .execute()
    await db
      .insertInto('tokens')
      .values({
        hash: hashOf(token),
        account_id: accountId,
        expires_at: now + signIn.tokenTtlMs,
        redeemed_at: null,
      })
      .execute()
  })
  return token
}

/**
 * Redeems a token. Returns null when it is unknown, expired or already redeemed. The last statement
 * marks it, so that of several concurrent requests exactly one succeeds, and a token stays valid
 * when the database fails before.
 */
export function redeemToken(database: Database, token: string): Promise<User | null> {
  const now = Date.now()
  const hash = hashOf(token)
  return database.run(async (db) => {
    const user = await db
      .selectFrom('tokens')
      .innerJoin('accounts', 'accounts.id', 'tokens.account_id')
      .select([
        'accounts.id',
        'provider',
        'subject',
        'email',
        'name',
        'picture',
        'language',
        'invite_code',
        'source',
        'referer',
        'created_at',
      ])
      .where('hash', '=', hash)
      .where('redeemed_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (!user) return null
    // Before the answer: an account that the application knows is never pruned.
    await db
      .updateTable('accounts')
      .set({ used_at: now })
      .where('id', '=', user.id)
      .where('used_at', 'is', null)
      .execute()
    const { numUpdatedRows } = await db
      .updateTable('tokens')
      .set({ redeemed_at: now })
      .where('hash', '=', hash)
      .where('redeemed_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n ? user : null
  })
}

/** Marks a nonce as used until it expires. Returns false when it was used before. */
export function consumeNonce(
  database: Database,
  nonce: string,
  expiresAt: number,
): Promise<boolean> {
  return database.run(async (db) => {
    await db.deleteFrom('used_nonces').where('expires_at', '<', Date.now()).execute()
    const inserted = await db
      .insertInto('used_nonces')
      .values({ hash: hashOf(nonce), expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('hash')
      .executeTakeFirst()
    return inserted !== undefined
  })
}
