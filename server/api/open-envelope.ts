import { constants, createDecipheriv, privateDecrypt, type KeyObject } from 'node:crypto'
import { envelope } from '../../shared/constants'
import { SiteError } from '../errors'

/**
 * The text of an envelope (decisions 6), by the first of the keys that opens it. Every way in which it can be wrong gives the same error: who may ask which
 * step failed can decrypt by asking (Bleichenbacher, Manger).
 */
export function openEnvelope(
  keys: readonly KeyObject[],
  { _t, _a }: { _t: string; _a: string },
): string {
  const wrapped = strictBase64url(_t)
  const sealed = strictBase64url(_a)
  if (wrapped && sealed && sealed.length >= envelope.ivBytes + envelope.tagBytes) {
    for (const key of keys) {
      const text = openWith(key, wrapped, sealed)
      if (text !== null) return text
    }
  }
  throw new SiteError('badEnvelope')
}

function openWith(key: KeyObject, wrapped: Buffer, sealed: Buffer): string | null {
  try {
    const secret = privateDecrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      wrapped,
    )
    if (secret.length !== envelope.keyBytes) return null
    const iv = sealed.subarray(0, envelope.ivBytes)
    // Without authTagLength a tag of 4 bytes would do: one forgery in 2^32 tries.
    const decipher = createDecipheriv('aes-256-gcm', secret, iv, {
      authTagLength: envelope.tagBytes,
    })
    decipher.setAuthTag(sealed.subarray(-envelope.tagBytes))
    const bytes = Buffer.concat([
      decipher.update(sealed.subarray(envelope.ivBytes, -envelope.tagBytes)),
      decipher.final(),
    ])
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Bytes of base64url without padding; null for anything else, also for forms that decode leniently: one message has one envelope. */
function strictBase64url(text: string): Buffer | null {
  if (!/^[\w-]+$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}
