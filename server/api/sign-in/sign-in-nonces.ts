import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { signIn } from '../../../shared/constants'
import type { Database } from '../../db/database'
import { getOrCreateSecret } from '../../db/secrets'
import { consumeNonce } from '../../db/sign-in-store'
import { loadOnce } from '../../load-once'

/** Random part (16 bytes), expiry (base 36), HMAC-SHA256 of both (32 bytes). */
const nonceFormat = /^([\w-]{22}\.([0-9a-z]{6,10}))\.([\w-]{43})$/

/**
 * One-time nonces for sign-in, in the form `{random}.{expiry}.{signature}`. Every page view may ask
 * for one, so issuing writes nothing. Only a consumed nonce is stored, until it would have expired.
 * The signing secret is in the database, so every process of every machine can check a nonce.
 */
export function createSignInNonces(database: Database): {
  issue: () => Promise<string>
  /** Returns false when the nonce is forged, expired or already used. */
  consume: (nonce: string) => Promise<boolean>
} {
  const getSecret = loadOnce(() => getOrCreateSecret(database, 'nonce'))
  const sign = async (body: string): Promise<Buffer> =>
    createHmac('sha256', await getSecret())
      .update(body)
      .digest()

  return {
    async issue() {
      const expiry = (Date.now() + signIn.nonceTtlMs).toString(36)
      const body = `${randomBytes(16).toString('base64url')}.${expiry}`
      return `${body}.${(await sign(body)).toString('base64url')}`
    },
    async consume(nonce) {
      const [, body = '', expiry = '', signature = ''] = nonceFormat.exec(nonce) ?? []
      const actual = Buffer.from(signature, 'base64url')
      const expected = await sign(body)
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false
      const expiresAt = parseInt(expiry, 36)
      return expiresAt > Date.now() && consumeNonce(database, nonce, expiresAt)
    },
  }
}
