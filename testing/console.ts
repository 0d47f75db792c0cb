import { fetchFrom, opsToken, type Answer } from './site'

export type ConsoleRequest = {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as a form. */
  form?: Record<string, string>
}

const bodyOf = ({ json, form }: ConsoleRequest): { type: string; text: string } | null => {
  if (form)
    return {
      type: 'application/x-www-form-urlencoded',
      text: new URLSearchParams(form).toString(),
    }
  return json === undefined ? null : { type: 'application/json', text: JSON.stringify(json) }
}

/** Sends a request below `/_ops` to a site on this machine, under the name `localhost`. */
export function askConsole(
  port: number,
  path: string,
  question: ConsoleRequest = {},
): Promise<Answer> {
  const body = bodyOf(question)
  return fetchFrom(port, `/_ops${path}`, {
    method: question.method,
    body: body?.text,
    headers: { ...(body ? { 'content-type': body.type } : {}), ...question.headers },
  })
}

/** Signs in as an operator. Returns the `Cookie` header of the session. */
export async function signInToConsole(port: number, operator = 'Ada'): Promise<string> {
  const answer = await askConsole(port, '/console', {
    headers: { origin: `http://localhost:${port}` },
    form: { operator, token: opsToken },
  })
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  if (answer.status !== 303) throw new Error(`signing in answered ${answer.status}: ${answer.body}`)
  return cookie.slice(0, cookie.indexOf(';'))
}

/** The cookie of a new session, for a browser's context. */
export async function consoleCookie(
  port: number,
): Promise<{ name: string; value: string; domain: string; path: string; sameSite: 'Strict' }> {
  const [name = '', value = ''] = (await signInToConsole(port)).split('=')
  return { name, value, domain: 'localhost', path: '/_ops', sameSite: 'Strict' }
}

/** The data of a call's answer; throws its message when it was refused. */
export function consoleData<Data>({ body }: Answer): Data {
  const { code, msg, data } = JSON.parse(body) as { code: number; msg: string; data: Data }
  if (code !== 0) throw new Error(msg)
  return data
}
