import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { envelope } from '../../../shared/constants'
import type { PublicKey } from '../../../shared/envelope'
import type { Database } from '../../db/database'
import { addEnvelopeKey, listEnvelopeKeys } from '../../db/secrets'
import { SiteError } from '../../errors'
import { openEnvelope } from './open-envelope'
import { exportKey, readOperatorKey } from './operator-key'

export type Keyring = {
  /** The key for which clients seal new envelopes: the operator's, or without it the newest. */
  publicKey: () => Promise<PublicKey>
  /** Decrypts an envelope and returns its text. Throws `badEnvelope`. */
  open: (parts: { _t: string; _a: string }) => Promise<string>
}

/** How long keys are reused before they are read from the database again. */
const maxAgeMs = 10_000
/** The same after an envelope that no known key opens: it may be sealed for a newer key. */
const maxAgeAfterFailureMs = 1000

/**
 * The private keys that open envelopes, at most `maxActiveKeys`: the operator's
 * (`AUTH_PRIVATE_KEY`) first, then those of the database, newest first. When there is neither, a
 * key is created in the database; when several processes do so at once, one row wins. Changes in
 * the database take effect within seconds, without a restart.
 */
export function createKeyring(database: Database, operatorPem: string): Keyring {
  const operatorKey = operatorPem ? readOperatorKey(operatorPem) : null
  let cached: { keys: KeyObject[]; readAt: number } | null = null
  let reading: Promise<KeyObject[]> | null = null

  async function readKeys(): Promise<KeyObject[]> {
    let rows = await listEnvelopeKeys(database)
    if (rows.length === 0 && !operatorKey) {
      await addEnvelopeKey(database, 'first', await generatePrivateKey())
      rows = await listEnvelopeKeys(database)
    }
    const keys = [
      ...(operatorKey ? [operatorKey] : []),
      ...rows.map(({ value }) => createPrivateKey(value)),
    ].slice(0, envelope.maxActiveKeys)
    cached = { keys, readAt: Date.now() }
    return keys
  }

  function getKeys(maxCacheAgeMs: number): Promise<KeyObject[]> {
    if (cached && Date.now() - cached.readAt < maxCacheAgeMs) return Promise.resolve(cached.keys)
    reading ??= readKeys().finally(() => (reading = null))
    // The cached keys stay in use while the database is unavailable.
    const fallback = cached?.keys
    return fallback ? reading.catch(() => fallback) : reading
  }

  return {
    async publicKey() {
      const [first] = await getKeys(maxAgeMs)
      if (!first) throw new SiteError('storeUnavailable')
      const spki = createPublicKey(first).export({ type: 'spki', format: 'der' })
      return {
        kid: createHash('sha256').update(spki).digest('hex').slice(0, 16),
        alg: 'RSA-OAEP-256',
        spki: spki.toString('base64'),
      }
    },
    async open(parts) {
      const keys = await getKeys(maxAgeMs)
      try {
        return openEnvelope(keys, parts)
      } catch (error) {
        const freshKeys = await getKeys(maxAgeAfterFailureMs)
        if (freshKeys === keys) throw error
        return openEnvelope(freshKeys, parts)
      }
    },
  }
}

/** Generates a private key as PEM. Takes about 200 ms, off the main thread. */
export async function generatePrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: envelope.rsaBits,
  })
  return exportKey(privateKey)
}
