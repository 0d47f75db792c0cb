/**
 * A stand-in for a backend that implements section 7 of the original specification of the site and
 * nothing else: no nonce, no public key, no address of the application in the answer of the
 * sign-in.
 */
import {
  constants,
  createDecipheriv,
  generateKeyPairSync,
  privateDecrypt,
  randomUUID,
} from 'node:crypto'
import { startUpstream, type TestUpstream } from './upstream'

type BackendCall = { path: string; query: URLSearchParams; form: URLSearchParams }
export type SpecBackend = Pick<TestUpstream, 'origin' | 'stop'> & {
  /** SPKI as base64 of the DER form. */
  publicKey: string
  /** Calls of a path, in order. */
  calls: (path: string) => BackendCall[]
  /** `METHOD /path` of requests that the specification does not have. */
  unknown: string[]
  /** Text of an envelope that a browser has sealed for this backend. */
  open: (wrappedKey: string, sealed: string) => string
}

const visitorAddress = '8.8.8.8'

/** `data` by `METHOD /path`. The values of `answers` replace or complete these. */
const defaultAnswers: Readonly<Record<string, () => unknown>> = {
  'POST /sys/user/passport/authorized-login': () => ({ cpl: randomUUID() }),
  'GET /sys/config/ref/set': () => null,
  'POST /sys/user/passport/record-source': () => null,
  'GET /sys/config/ip/get-visitor-ip': () => ({
    ip: visitorAddress,
    ua: '',
    language: 'en-US',
    ip_data: { timezone: 'America/Chicago', country: 'US', region: 'Kansas', city: 'Wichita' },
  }),
  'POST /client/record-data/log': () => null,
  'GET /client/sys-client-version/get-latest-version': () => ({ url: '' }),
  'GET /home/base-info': () => ({}),
  'GET /sys/config/chat-type': () => ({ chat: 'other', chat_info: { js: '' } }),
  'GET /third/chat/choose': () => ({ type: 'other' }),
  'POST /sys/config/event': () => null,
}

/** `answers`: data by `METHOD /path`. The API is below the path `/backend`. */
export async function startSpecBackend(
  answers: Readonly<Record<string, () => unknown>> = {},
): Promise<SpecBackend> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const unknown: string[] = []
  const parse = (url = '/'): URL => new URL(url, 'http://backend')
  const pathOf = (url?: string): string => parse(url).pathname.replace(/^\/backend(?=\/)/, '')
  const upstream = await startUpstream((request, response) => {
    const name = `${request.method ?? ''} ${pathOf(request.url)}`
    const answer = answers[name] ?? defaultAnswers[name]
    if (!answer) {
      unknown.push(name)
      response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>')
      return
    }
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ code: 0, data: answer() }))
  })
  return {
    origin: upstream.origin,
    stop: upstream.stop,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    unknown,
    calls: (path) =>
      upstream.requests
        .filter(({ url }) => pathOf(url) === path)
        .map(({ url, body }) => ({
          path,
          query: parse(url).searchParams,
          form: new URLSearchParams(body),
        })),
    open(wrappedKey, sealed) {
      const key = privateDecrypt(
        { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
        Buffer.from(wrappedKey, 'base64url'),
      )
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
    },
  }
}
