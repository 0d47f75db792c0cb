import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { envelope } from '../../shared/constants'
import type { PublicKey } from '../../shared/envelope'
import type { Database } from '../db/database'
import { addEnvelopeKey, envelopeKeys } from '../db/secrets'
import { SiteError } from '../errors'
import { openEnvelope } from './open-envelope'
import { exportKey, readOperatorKey } from './operator-key'

export type Keyring = {
  /** The key that new envelopes are made for: the newest. */
  publicKey: () => Promise<PublicKey>
  /** The text of an envelope; throws `badEnvelope`. */
  open: (parts: { _t: string; _a: string }) => Promise<string>
}

/** How old the known keys may be: when all is well, and when an envelope fits none of them (ms). */
const goodFor = 10_000
const retryAfter = 1000

/**
 * The keys of the envelope: the operator's (`AUTH_PRIVATE_KEY`) first, then those of the database. With neither, one is made there: of several processes that
 * try at once one row wins. Keys added or removed meanwhile are noticed within seconds, without a restart.
 */
export function createKeyring(database: Database, ownKey: string): Keyring {
  const own = ownKey ? readOperatorKey(ownKey) : null
  let known: { keys: KeyObject[]; at: number } | null = null
  let reading: Promise<KeyObject[]> | null = null

  async function read(): Promise<KeyObject[]> {
    let rows = await envelopeKeys(database)
    if (rows.length === 0 && !own) {
      await addEnvelopeKey(database, 'first', await makeKey())
      rows = await envelopeKeys(database)
    }
    const keys = [...(own ? [own] : []), ...rows.map(({ value }) => createPrivateKey(value))].slice(
      0,
      envelope.keys,
    )
    known = { keys, at: Date.now() }
    return keys
  }

  function keys(maxAge: number): Promise<KeyObject[]> {
    if (known && Date.now() - known.at < maxAge) return Promise.resolve(known.keys)
    reading ??= read().finally(() => (reading = null))
    // What is known goes on serving while the database is away.
    const fallback = known?.keys
    return fallback ? reading.catch(() => fallback) : reading
  }

  return {
    async publicKey() {
      const [newest] = await keys(goodFor)
      if (!newest) throw new SiteError('storeUnavailable')
      const spki = createPublicKey(newest).export({ type: 'spki', format: 'der' })
      return {
        kid: createHash('sha256').update(spki).digest('hex').slice(0, 16),
        alg: 'RSA-OAEP-256',
        spki: spki.toString('base64'),
      }
    },
    async open(parts) {
      const tried = await keys(goodFor)
      try {
        return openEnvelope(tried, parts)
      } catch (error) {
        const fresh = await keys(retryAfter)
        if (fresh === tried) throw error
        return openEnvelope(fresh, parts)
      }
    },
  }
}

/** A fresh private key as PEM; takes a fifth of a second, off the main thread. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: envelope.rsaBits,
  })
  return exportKey(privateKey)
}
