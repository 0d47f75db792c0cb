import { createPrivateKey, type KeyObject } from 'node:crypto'
import NodeRSA from 'node-rsa'
import { envelope } from '../../shared/constants'

/**
 * An operator's private RSA key in whatever form he has it: PEM or DER, PKCS #1, PKCS #8 or OpenSSH. node-rsa only reads and converts; it decrypts
 * nothing here, as its private operation takes 36 ms and leaks time. Null when it is none, is shorter than 2048 bits, or needs a passphrase.
 */
export function readOperatorKey(source: Buffer | string): KeyObject | null {
  // Settings on one line write line breaks as \n.
  const text = source.toString('utf8').replaceAll('\\n', '\n').trim()
  const isPem = text.startsWith('-----BEGIN ')
  const forms = isPem
    ? (['pkcs8-private-pem', 'pkcs1-private-pem', 'openssh-private-pem'] as const)
    : (['pkcs8-private-der', 'pkcs1-private-der'] as const)
  for (const form of forms) {
    try {
      const read = new NodeRSA().importKey(isPem ? text : Buffer.from(source), form)
      const key = createPrivateKey(read.exportKey('pkcs8-private-pem'))
      if ((key.asymmetricKeyDetails?.modulusLength ?? 0) >= envelope.rsaBits) return key
    } catch {
      // Another form, perhaps.
    }
  }
  return null
}

/** Whether a setting holds a private key that can be used. */
export const isOperatorKey = (pem: string): boolean => readOperatorKey(pem) !== null

/** A key as it is stored: PKCS #8, PEM. */
export const exportKey = (key: KeyObject): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString()
