import type { EventBatch } from '../../shared/analytics-event'
import {
  importPublicKey,
  joinEnvelope,
  sealEnvelope,
  type Envelope,
  type PublicKey,
} from '../../shared/envelope'
import type { ApiClient } from './api-client'

export type EnvelopeEncryption = {
  encryptBatch: (batch: EventBatch) => Promise<Envelope>
  encryptCredential: (token: string) => Promise<string>
  /** The next encryption fetches the key again. */
  forgetKey: () => void
}

/**
 * Encrypts for the public key of the settings (SPKI), or else for the one that the API tells, which
 * is fetched on first use. Rejects without a key.
 */
export function createEnvelopeEncryption(
  api: Pick<ApiClient, 'get'>,
  configuredKey: string | null,
): EnvelopeEncryption {
  let key: Promise<CryptoKey> | null = null
  const forgetKey = (): void => {
    key = null
  }
  async function fetchKey(): Promise<CryptoKey> {
    if (configuredKey === null) throw new Error('there is no public key to encrypt for')
    if (configuredKey) return importPublicKey({ spki: configuredKey })
    // Cast: `importPublicKey` rejects any other shape.
    return importPublicKey((await api.get('/api/sys/config/public-key')) as PublicKey)
  }
  function publicKey(): Promise<CryptoKey> {
    key ??= fetchKey()
    // A failure is not cached: the next call tries again.
    key.catch(forgetKey)
    return key
  }
  const seal = async (text: string): Promise<Envelope> => sealEnvelope(await publicKey(), text)
  return {
    encryptBatch: (batch) => seal(JSON.stringify(batch)),
    encryptCredential: async (token) => joinEnvelope(await seal(token)),
    forgetKey,
  }
}
