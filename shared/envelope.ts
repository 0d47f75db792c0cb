/**
 * The browser's half of the hybrid envelope (spec 6.6): each message has a new AES-256-GCM key,
 * encrypted with RSA-OAEP (SHA-256). The server's half, which holds the private key, is
 * `server/api/envelope/open-envelope.ts`. Needs `crypto.subtle`, which browsers
 * offer on https and on localhost only.
 */
import { envelope } from './constants'

/** `_t`: the encrypted key. `_a`: IV, ciphertext and tag. Both are base64url without padding. */
export type Envelope = { _t: string; _a: string }
/** Response of `GET /api/sys/config/public-key`: `spki` is the key in DER form as base64. */
export type PublicKey = { kid: string; alg: 'RSA-OAEP-256'; spki: string }

const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' } as const

/** Imports the site's public key. Rejects when it is not an RSA key in DER form. */
export function importPublicKey({ spki }: Pick<PublicKey, 'spki'>): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(spki), (letter) => letter.charCodeAt(0))
  return crypto.subtle.importKey('spki', bytes, algorithm, false, ['encrypt'])
}

/** Encrypts a text with the public key. Two calls with the same text give different envelopes. */
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

/** An envelope as one string: the field `credential` of the sign-in. */
export const joinEnvelope = ({ _t, _a }: Envelope): string => `${_t}.${_a}`

function base64url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')
}
