import type { EventBatch } from '../../shared/analytics-event'
import {
  importPublicKey,
  joinEnvelope,
  sealEnvelope,
  type Envelope,
  type PublicKey,
} from '../../shared/envelope'
import type { ApiClient } from '../platform/api-client'

export type Sealing = {
  batch: (batch: EventBatch) => Promise<Envelope>
  credential: (token: string) => Promise<string>
  forgetKey: () => void
}

/** Encrypts for the site's public key, which is fetched when it is first needed and again after `forgetKey`. */
export function createSealing(api: Pick<ApiClient, 'get'>): Sealing {
  let key: Promise<CryptoKey> | null = null
  async function fetchKey(): Promise<CryptoKey> {
    return importPublicKey((await api.get('/api/sys/config/public-key')) as PublicKey)
  }
  function publicKey(): Promise<CryptoKey> {
    key ??= fetchKey()
    // A failure is not kept: the next one to need it asks again.
    key.catch(() => {
      key = null
    })
    return key
  }
  const seal = async (text: string): Promise<Envelope> => sealEnvelope(await publicKey(), text)
  return {
    batch: (batch) => seal(JSON.stringify(batch)),
    credential: async (token) => joinEnvelope(await seal(token)),
    forgetKey: () => {
      key = null
    },
  }
}
