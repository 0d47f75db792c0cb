import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import NodeRSA from 'node-rsa'
import { exportKey, readOperatorKey } from '../../../server/api/envelope/operator-key'
import { jsonDepth } from '../../../server/api/parse-json'
import { openEnvelope } from '../../../server/api/envelope/open-envelope'
import {
  importPublicKey,
  joinEnvelope,
  sealEnvelope,
  type Envelope,
} from '../../../shared/envelope'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const seal = async (key: KeyObject, text: string): Promise<Envelope> =>
  sealEnvelope(
    await importPublicKey({
      spki: key.export({ type: 'spki', format: 'der' }).toString('base64'),
    }),
    text,
  )

describe('an envelope of the browser', () => {
  it.each(['', 'a', '{"list":[]}', 'Ünïcödé 中文 😀', 'x'.repeat(40_000)])(
    'is opened by the server (%#)',
    async (text) => {
      expect(openEnvelope([privateKey], await seal(publicKey, text))).toBe(text)
    },
  )
  it('is different every time', async () => {
    const [one, two] = await Promise.all([seal(publicKey, 'same'), seal(publicKey, 'same')])
    expect(one._t === two._t || one._a === two._a).toBe(false)
  })
  it('is base64url without padding, as two fields or as one text', async () => {
    // Texts of three lengths end in all three paddings of base64.
    for (const text of ['', 'a', 'ab']) {
      const sealed = await seal(publicKey, text)
      for (const part of [sealed._t, sealed._a]) expect(part).toMatch(/^[\w-]{38,}$/)
      expect(joinEnvelope(sealed)).toBe(`${sealed._t}.${sealed._a}`)
    }
  })
  it('needs a key that can only encrypt', async () => {
    const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const key = await importPublicKey({ spki })
    expect([key.type, key.extractable, key.usages]).toEqual(['public', false, ['encrypt']])
    await expect(importPublicKey({ spki: 'bm8ga2V5' })).rejects.toThrow()
  })
  it('is opened by the key that it was sealed for', async () => {
    expect(openEnvelope([other.privateKey, privateKey], await seal(publicKey, 'old'))).toBe('old')
    await expect(
      seal(publicKey, 'x').then((sealed) => openEnvelope([other.privateKey], sealed)),
    ).rejects.toThrow('The message could not be read')
  })
})

describe("an operator's key", () => {
  const rsa = new NodeRSA().importKey(exportKey(privateKey), 'pkcs8-private-pem')
  const pem = exportKey(privateKey)
  it.each([
    ['PKCS #8 PEM', rsa.exportKey('pkcs8-private-pem')],
    ['PKCS #1 PEM', rsa.exportKey('pkcs1-private-pem')],
    ['OpenSSH PEM', rsa.exportKey('openssh-private-pem')],
    ['PKCS #8 DER', rsa.exportKey('pkcs8-private-der')],
    ['PKCS #1 DER', rsa.exportKey('pkcs1-private-der')],
    ['PEM on one line', pem.replaceAll('\n', '\\n')],
  ] as ReadonlyArray<[string, string | Buffer]>)('is read as %s', (_form, source) => {
    const read = readOperatorKey(source)
    expect(read && exportKey(read)).toBe(pem)
  })
  it.each([
    ['too short', exportKey(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)],
    [
      'not RSA',
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
    ['public', publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    [
      'protected by a passphrase',
      privateKey
        .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
        .toString(),
    ],
    ['empty', ''],
    ['not a key', 'hello'],
  ])('is refused when it is %s', (_why, source) => {
    expect(readOperatorKey(source)).toBeNull()
  })
})

describe('the depth of JSON', () => {
  it.each([
    ['{}', 1],
    ['[[{}]]', 3],
    ['"[[["', 0],
    ['["\\"[[", {}]', 2],
    ['', 0],
    ['[]]]][', 1],
    ['["a\\\\", [[]]]', 3],
    ['"[', 0],
    ['{"a":"\\\\\\"[[[", "b":[]}', 2],
  ])('%s is %i', (text, depth) => {
    expect(jsonDepth(text)).toBe(depth)
  })
})
