import type { IncomingHttpHeaders } from 'node:http'
import {
  importPublicKey,
  joinEnvelope,
  sealEnvelope,
  type Envelope,
  type PublicKey,
} from '../shared/envelope'
import { fetchFrom } from './site'

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

/**
 * Calls the API of a site on this machine. `path` is relative to `/api`. The method is POST if
 * there is a body, unless `method` is given.
 */
export async function callApi(
  port: number,
  path: string,
  { form, json, body, headers = {} }: ApiInput = {},
  method?: string,
): Promise<ApiAnswer> {
  const type = form
    ? { 'content-type': 'application/x-www-form-urlencoded' }
    : json === undefined
      ? {}
      : { 'content-type': 'application/json' }
  const answer = await fetchFrom(port, `/api${path}`, {
    method,
    body: body ?? (form ? new URLSearchParams(form).toString() : JSON.stringify(json)),
    headers: { ...type, ...headers },
  })
  const { status, headers: answered, body: text } = answer
  const { code, msg, data } = (text ? JSON.parse(text) : {}) as {
    code?: unknown
    msg?: unknown
    data?: unknown
  }
  return { status, headers: answered, text, code, msg, data }
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
