import { constants, createDecipheriv, privateDecrypt, type KeyObject } from 'node:crypto'
import { envelope } from '../../../shared/constants'
import { SiteError } from '../../errors'

/**
 * Decrypts a hybrid envelope (spec 6) with the first key that fits. Every failure gives the same
 * error: an attacker who learns which step failed can decrypt messages by asking repeatedly
 * (padding oracle: Bleichenbacher, Manger).
 */
export function openEnvelope(
  keys: readonly KeyObject[],
  { _t, _a }: { _t: string; _a: string },
): string {
  const wrappedKey = decodeBase64url(_t)
  const sealed = decodeBase64url(_a)
  if (wrappedKey && sealed && sealed.length >= envelope.ivBytes + envelope.tagBytes) {
    for (const key of keys) {
      const text = decrypt(key, wrappedKey, sealed)
      if (text !== null) return text
    }
  }
  throw new SiteError('badEnvelope')
}

/** Returns null for every kind of failure. */
function decrypt(key: KeyObject, wrappedKey: Buffer, sealed: Buffer): string | null {
  try {
    const contentKey = privateDecrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      wrappedKey,
    )
    if (contentKey.length !== envelope.keyBytes) return null
    const iv = sealed.subarray(0, envelope.ivBytes)
    // Without authTagLength Node accepts tags of 4 bytes, which can be forged in 2^32 attempts.
    const decipher = createDecipheriv('aes-256-gcm', contentKey, iv, {
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

/**
 * Decodes base64url without padding. Returns null for anything else, including spellings that
 * Node decodes leniently, so that a message has exactly one encoded form.
 */
function decodeBase64url(text: string): Buffer | null {
  if (!/^[\w-]+$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}
