import { createPrivateKey, type KeyObject } from 'node:crypto'
import NodeRSA from 'node-rsa'
import { envelope } from '../../../shared/constants'

/**
 * Reads an operator's private RSA key from PEM or DER, as PKCS #1, PKCS #8 or OpenSSH. Returns null
 * when it is not such a key, is shorter than 2048 bits, or needs a passphrase. node-rsa only parses
 * and converts: its private operation takes 36 ms and is not constant-time, so it decrypts nothing.
 */
export function readOperatorKey(source: Buffer | string): KeyObject | null {
  // In a setting of one line, line breaks are written as \n.
  const text = source.toString('utf8').replaceAll('\\n', '\n').trim()
  const isPem = text.startsWith('-----BEGIN ')
  const formats = isPem
    ? (['pkcs8-private-pem', 'pkcs1-private-pem', 'openssh-private-pem'] as const)
    : (['pkcs8-private-der', 'pkcs1-private-der'] as const)
  for (const format of formats) {
    try {
      const parsed = new NodeRSA().importKey(isPem ? text : Buffer.from(source), format)
      const key = createPrivateKey(parsed.exportKey('pkcs8-private-pem'))
      if ((key.asymmetricKeyDetails?.modulusLength ?? 0) >= envelope.rsaBits) return key
    } catch {
      // Not this format: try the next.
    }
  }
  return null
}

/** Whether a setting holds a usable private key. */
export const isOperatorKey = (pem: string): boolean => readOperatorKey(pem) !== null

/** Exports a key in the form in which the database stores it: PKCS #8 PEM. */
export const exportKey = (key: KeyObject): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString()
