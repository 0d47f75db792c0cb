import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { signIn } from '../../shared/constants'
import type { Database } from './database'
import type { Tables } from './tables'

export type Identity = Pick<
  Tables['accounts'],
  'provider' | 'subject' | 'email' | 'name' | 'picture'
>
export type Arrival = Pick<Tables['accounts'], 'language' | 'invite_code' | 'source' | 'referer'>
/** Who signed in, as the application's server is told. */
export type User = Omit<Tables['accounts'], 'signed_in_at'>

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** The account of an identity, made when there is none; how its owner came is kept from the first time only. Answers its id. */
export function findOrMakeAccount(
  database: Database,
  identity: Identity,
  arrival: Arrival,
): Promise<string> {
  const now = Date.now()
  const { email, name, picture } = identity
  return database.run(async (db) => {
    const { id } = await db
      .insertInto('accounts')
      .values({ id: randomUUID(), ...identity, ...arrival, created_at: now, signed_in_at: now })
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

/** A token of 256 bits that is good once, for a minute. Only its hash is stored. Those long past are cleared away meanwhile. */
export async function issueToken(database: Database, accountId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = Date.now()
  await database.run(async (db) => {
    await db
      .deleteFrom('tokens')
      .where('expires_at', '<', now - signIn.tokenLife)
      .execute()
    await db
      .insertInto('tokens')
      .values({
        hash: hashOf(token),
        account_id: accountId,
        expires_at: now + signIn.tokenLife,
        redeemed_at: null,
      })
      .execute()
  })
  return token
}

/** Who a token stands for; null when there is none, it is too old, or it was redeemed. One statement, so that of many who ask at once one gets it. */
export function redeemToken(database: Database, token: string): Promise<User | null> {
  const now = Date.now()
  return database.run(async (db) => {
    const redeemed = await db
      .updateTable('tokens')
      .set({ redeemed_at: now })
      .where('hash', '=', hashOf(token))
      .where('redeemed_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('account_id')
      .executeTakeFirst()
    if (!redeemed) return null
    const user = await db
      .selectFrom('accounts')
      .select([
        'id',
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
      .where('id', '=', redeemed.account_id)
      .executeTakeFirst()
    return user ?? null
  })
}

/** Marks a nonce as used until it expires anyway; false when it was used before. */
export function spendNonce(database: Database, nonce: string, expiresAt: number): Promise<boolean> {
  return database.run(async (db) => {
    await db.deleteFrom('used_nonces').where('expires_at', '<', Date.now()).execute()
    const spent = await db
      .insertInto('used_nonces')
      .values({ hash: hashOf(nonce), expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('hash').doNothing())
      .returning('hash')
      .executeTakeFirst()
    return spent !== undefined
  })
}
