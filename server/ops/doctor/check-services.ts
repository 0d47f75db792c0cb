import type { Settings } from '../../env'
import { causeOf, note, ok, problem, type Finding } from './finding'

const timeoutMs = 3500
const googleIssuer = 'https://accounts.google.com'
const isPlainHttp = (url: string): boolean =>
  url.startsWith('http:') && !/\/\/(?:[\w.]+\.)?localhost(?::|$)/.test(url)

type ServiceResponse = { status: number; ok: boolean; body: unknown }

/** The field of a JSON object; undefined if the body is something else. */
const fieldOf = (body: unknown, name: string): unknown =>
  body !== null && typeof body === 'object' ? Reflect.get(body, name) : undefined

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Requests a URL and judges the response; a service that does not answer is a problem. */
async function checkUrl(
  { topic, clockName, url, fix }: { topic: string; clockName: string; url: string; fix: string },
  judge: (response: ServiceResponse) => Finding,
): Promise<Finding> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json' },
    })
    const { status, ok: isOk, headers } = response
    const finding = judge({ status, ok: isOk, body: parseJson(await response.text()) })
    const offsetMs = Date.parse(headers.get('date') ?? '') - Date.now()
    return Number.isNaN(offsetMs) ? finding : { ...finding, clock: { name: clockName, offsetMs } }
  } catch (error) {
    return problem(topic, `${new URL(url).origin} does not answer (${causeOf(error)})`, fix)
  }
}

/** Checks the operator's backend with the call that every page needs. */
export async function checkUpstream({ API_UPSTREAM, APP_URL }: Settings): Promise<Finding[]> {
  if (!API_UPSTREAM) return [ok('backend', 'API_UPSTREAM is empty: the embedded API answers')]
  const call = {
    topic: 'backend',
    clockName: 'the backend',
    url: `${API_UPSTREAM}/home/base-info?lang=en-US&type=home`,
    fix: 'start the backend, or correct API_UPSTREAM; until then pages have the links of content/site.yaml, and API calls answer 502 or 504',
  }
  const backend = await checkUrl(call, (response) => {
    const code = fieldOf(response.body, 'code')
    return response.ok && code === 0
      ? ok('backend', `${API_UPSTREAM} answers`)
      : problem(
          'backend',
          `${API_UPSTREAM} answers base info with status ${response.status} and code ${code === undefined ? 'none' : JSON.stringify(code)}`,
          'check the address including its path, and the log of the backend',
        )
  })
  if (APP_URL !== '/app') return [backend]
  const app = note(
    'backend',
    'APP_URL is /app, which only the embedded API has',
    'set APP_URL to the real application',
  )
  return [backend, app]
}

function checkClientId({ GOOGLE_CLIENT_ID, ID_TOKEN_ISSUER, SITE_URL_EN }: Settings): Finding[] {
  const findings: Finding[] = []
  if (ID_TOKEN_ISSUER === googleIssuer && !GOOGLE_CLIENT_ID.endsWith('.apps.googleusercontent.com'))
    findings.push(
      problem(
        'sign-in',
        'GOOGLE_CLIENT_ID does not look like a client id of Google',
        'copy it from the Google Cloud console: it ends in .apps.googleusercontent.com',
      ),
    )
  if (isPlainHttp(SITE_URL_EN))
    findings.push(
      problem(
        'sign-in',
        'browsers show the sign-in prompt only on https',
        'serve the site over https and set SITE_URL_… to https origins',
      ),
    )
  return findings
}

const checkScript = (url: string): Promise<Finding> =>
  checkUrl(
    {
      topic: 'sign-in',
      clockName: 'the identity provider',
      url,
      fix: 'correct GSI_SCRIPT_URL, or allow this machine to reach it (visitors load it directly)',
    },
    (response) =>
      response.ok
        ? ok('sign-in', 'the script of the identity provider loads')
        : problem(
            'sign-in',
            `the script of the identity provider answers ${response.status}`,
            'correct GSI_SCRIPT_URL',
          ),
  )

const checkProviderKeys = (url: string): Promise<Finding> =>
  checkUrl(
    {
      topic: 'sign-in',
      clockName: 'the identity provider',
      url,
      fix: 'correct ID_TOKEN_JWKS_URL, or allow this machine to reach it: sign-in needs its keys',
    },
    (response) => {
      const keys = fieldOf(response.body, 'keys')
      const count = Array.isArray(keys) ? keys.length : 0
      return response.ok && count > 0
        ? ok('sign-in', `the identity provider has ${count} keys`)
        : problem(
            'sign-in',
            `${url} returns no keys (status ${response.status})`,
            'correct ID_TOKEN_JWKS_URL',
          )
    },
  )

/** Checks one-tap sign-in: the client id, and the provider's script and keys. */
export async function checkIdentity(settings: Settings): Promise<Finding[]> {
  const { API_UPSTREAM, GOOGLE_CLIENT_ID, GSI_SCRIPT_URL, ID_TOKEN_JWKS_URL } = settings
  if (!GOOGLE_CLIENT_ID) return [ok('sign-in', 'GOOGLE_CLIENT_ID is empty: no one-tap prompt')]
  const findings = [...checkClientId(settings), await checkScript(GSI_SCRIPT_URL)]
  // With a backend, the backend verifies the tokens.
  return API_UPSTREAM ? findings : [...findings, await checkProviderKeys(ID_TOKEN_JWKS_URL)]
}
