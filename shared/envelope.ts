/**
 * The hybrid envelope (decisions 6), browser side: a fresh AES-256-GCM key for each message, wrapped with RSA-OAEP (SHA-256). The server's side, which
 * holds the private key, is `server/api/open-envelope.ts`. Needs `crypto.subtle`: https, or a host of this machine.
 */
import { envelope } from './constants'

/** `_t` the wrapped key, `_a` IV, ciphertext and tag joined; both base64url without padding. */
export type Envelope = { _t: string; _a: string }
/** Answer of `GET /api/sys/config/public-key`: `spki` is base64 of the key in DER form. */
export type PublicKey = { kid: string; alg: 'RSA-OAEP-256'; spki: string }

const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' } as const

/** The site's public key, ready for `sealEnvelope`. Rejects when it is no RSA key in that form. */
export function importPublicKey({ spki }: PublicKey): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(spki), (letter) => letter.charCodeAt(0))
  return crypto.subtle.importKey('spki', bytes, algorithm, false, ['encrypt'])
}

/** Encrypts a text for the holder of the private key. The same text twice gives different envelopes. */
export async function sealEnvelope(publicKey: CryptoKey, text: string): Promise<Envelope> {
  const secret = crypto.getRandomValues(new Uint8Array(envelope.keyBytes))
  const iv = crypto.getRandomValues(new Uint8Array(envelope.ivBytes))
  const key = await crypto.subtle.importKey('raw', secret, 'AES-GCM', false, ['encrypt'])
  const [wrapped, sealed] = await Promise.all([
    crypto.subtle.encrypt(algorithm, publicKey, secret),
    crypto.subtle.encrypt(
      { name: 'AES-GCM', iv, tagLength: envelope.tagBytes * 8 },
      key,
      new TextEncoder().encode(text),
    ),
  ])
  const joined = new Uint8Array(iv.length + sealed.byteLength)
  joined.set(iv)
  joined.set(new Uint8Array(sealed), iv.length)
  return { _t: base64url(new Uint8Array(wrapped)), _a: base64url(joined) }
}

/** An envelope as one text, as the sign-in takes its `credential`. */
export const joinEnvelope = ({ _t, _a }: Envelope): string => `${_t}.${_a}`

function base64url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
