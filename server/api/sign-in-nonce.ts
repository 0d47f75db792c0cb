import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { signIn } from '../../shared/constants'
import type { Database } from '../db/database'
import { secretOf } from '../db/secrets'
import { spendNonce } from '../db/sign-in-store'

/**
 * Nonces of the sign-in: `{random}.{end of life}.{signature}`. Every page view may ask for one, so asking writes nothing; only one that comes back is
 * stored, until it would have expired, so that it is good once. The secret is in the database: any process of any machine can check it.
 */
export function createNonces(database: Database): {
  make: () => Promise<string>
  /** False for one that is forged, too old, or used. */ spend: (nonce: string) => Promise<boolean>
} {
  let secret: Promise<string> | null = null
  const getSecret = (): Promise<string> => {
    secret ??= secretOf(database, 'nonce').catch((error: unknown) => {
      secret = null
      throw error
    })
    return secret
  }
  const sign = async (body: string): Promise<Buffer> =>
    createHmac('sha256', await getSecret())
      .update(body)
      .digest()

  return {
    async make() {
      const body = `${randomBytes(16).toString('base64url')}.${(Date.now() + signIn.nonceLife).toString(36)}`
      return `${body}.${(await sign(body)).toString('base64url')}`
    },
    async spend(nonce) {
      const [, body = '', end = '', signature = ''] =
        /^([\w-]{22}\.([0-9a-z]{6,10}))\.([\w-]{43})$/.exec(nonce) ?? []
      const given = Buffer.from(signature, 'base64url')
      const wanted = await sign(body)
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false
      const expiresAt = parseInt(end, 36)
      return expiresAt > Date.now() && spendNonce(database, nonce, expiresAt)
    },
  }
}
