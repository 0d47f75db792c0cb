import { request, type IncomingHttpHeaders } from 'node:http'
import {
  importPublicKey,
  joinEnvelope,
  sealEnvelope,
  type Envelope,
  type PublicKey,
} from '../shared/envelope'

export type ApiAnswer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  code: unknown
  msg: unknown
  data: unknown
}
export type ApiInput = {
  form?: Record<string, string>
  json?: unknown
  /** Sent unchanged, with no header besides `headers`. */
  body?: string | Buffer
  headers?: Record<string, string>
}

/** Calls the API of a site on this machine. `path` is relative to `/api`. The method is POST if there is a
 * body, unless `method` is given. */
export function callApi(
  port: number,
  path: string,
  { form, json, body, headers = {} }: ApiInput = {},
  method?: string,
): Promise<ApiAnswer> {
  const content =
    body ??
    (form
      ? new URLSearchParams(form).toString()
      : json === undefined
        ? undefined
        : JSON.stringify(json))
  const type = form
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : json === undefined
      ? {}
      : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: `/api${path}`,
        method: method ?? (content === undefined ? 'GET' : 'POST'),
        headers: {
          host: `localhost:${port}`,
          ...type,
          ...(content === undefined
            ? {}
            : { 'content-length': String(Buffer.byteLength(content)) }),
          ...headers,
        },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const { code, msg, data } = (text ? JSON.parse(text) : {}) as {
            code?: unknown
            msg?: unknown
            data?: unknown
          }
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            code,
            msg,
            data,
          })
        })
      },
    )
    sent.on('error', reject)
    sent.end(content)
  })
}

/** Encrypts texts for a site as its pages do. */
export async function sealFor(
  port: number,
  input: Pick<ApiInput, 'headers'> = {},
): Promise<(text: string) => Promise<Envelope>> {
  const { data } = await callApi(port, '/sys/config/public-key', input)
  const key = await importPublicKey(data as PublicKey)
  return (text) => sealEnvelope(key, text)
}

/** The form of a sign-in with an identity token. */
export async function signInForm(
  port: number,
  token: string,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const seal = await sealFor(port)
  return {
    third_party: 'google',
    third_party_action_type: 'one_tap',
    invite_code: 'abc-1',
    language: 'es-ES',
    source: 'home',
    referer: 'https://example.org/',
    regParam: '',
    redirect_data: '',
    credential: joinEnvelope(await seal(token)),
    ...more,
  }
}
export const nonceOf = async (port: number): Promise<string> =>
  ((await callApi(port, '/sys/user/passport/nonce')).data as { nonce: string }).nonce
