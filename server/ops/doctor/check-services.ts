import type { Settings } from '../../env'
import { causeOf, noted, ok, wrong, type Finding } from './finding'

const patience = 3500
const googleIssuer = 'https://accounts.google.com'

export type Asked = {
  finding: Finding
  /** How far our clock is behind that of who answered (ms). */ offset: number | null
}

/** Asks an address and hands its answer to `judge`. */
async function ask(
  about: string,
  url: string,
  todo: string,
  judge: (answer: Response, body: unknown) => Finding,
): Promise<Asked> {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(patience),
      headers: { accept: 'application/json' },
    })
    const text = await answer.text()
    let body: unknown = null
    try {
      body = JSON.parse(text)
    } catch {
      // Judged by its status, or as something else than JSON.
    }
    const date = Date.parse(answer.headers.get('date') ?? '')
    return { finding: judge(answer, body), offset: Number.isNaN(date) ? null : date - Date.now() }
  } catch (error) {
    return {
      finding: wrong(about, `${new URL(url).origin} does not answer (${causeOf(error)})`, todo),
      offset: null,
    }
  }
}

/** The operator's backend, by the call that every page needs. */
export async function checkUpstream({ API_UPSTREAM, APP_URL }: Settings): Promise<Asked[]> {
  if (!API_UPSTREAM)
    return [
      { finding: ok('backend', 'API_UPSTREAM is empty: the embedded API answers'), offset: null },
    ]
  const todo =
    'start the backend, or mend API_UPSTREAM; until then pages go on with the links of content/site.yaml, calls answer 502 or 504'
  const asked = await ask(
    'backend',
    `${API_UPSTREAM}/home/base-info?lang=en-US&type=home`,
    todo,
    (answer, body) => {
      const code =
        body !== null && typeof body === 'object' && 'code' in body ? body.code : undefined
      return answer.ok && code === 0
        ? ok('backend', `${API_UPSTREAM} answers`)
        : wrong(
            'backend',
            `${API_UPSTREAM} answers base info with status ${answer.status} and code ${JSON.stringify(code) ?? 'none'}`,
            'look at the address, path included, and at the log of the backend',
          )
    },
  )
  const app =
    APP_URL === '/app'
      ? [
          {
            finding: noted(
              'backend',
              'APP_URL is /app, which only the embedded API has',
              'set APP_URL to the real application',
            ),
            offset: null,
          },
        ]
      : []
  return [asked, ...app]
}

/** One-tap sign-in: the client's id, the provider's keys and its script. */
export async function checkIdentity({
  GOOGLE_CLIENT_ID,
  GSI_SCRIPT_URL,
  ID_TOKEN_ISSUER,
  ID_TOKEN_JWKS_URL,
  API_UPSTREAM,
  SITE_URL_EN,
}: Settings): Promise<Asked[]> {
  if (!GOOGLE_CLIENT_ID)
    return [
      { finding: ok('sign-in', 'GOOGLE_CLIENT_ID is empty: no one-tap prompt'), offset: null },
    ]
  const findings: Asked[] = []
  if (ID_TOKEN_ISSUER === googleIssuer && !GOOGLE_CLIENT_ID.endsWith('.apps.googleusercontent.com'))
    findings.push({
      finding: wrong(
        'sign-in',
        "GOOGLE_CLIENT_ID does not look like one of Google's",
        'take it from the console: it ends in .apps.googleusercontent.com',
      ),
      offset: null,
    })
  if (SITE_URL_EN.startsWith('http:') && !/\/\/(?:[\w.]+\.)?localhost(?::|$)/.test(SITE_URL_EN))
    findings.push({
      finding: wrong(
        'sign-in',
        'browsers show the prompt on https only',
        'serve the site by https and say so in SITE_URL_…',
      ),
      offset: null,
    })
  const script = await ask(
    'sign-in',
    GSI_SCRIPT_URL,
    'mend GSI_SCRIPT_URL, or let this machine reach it (visitors load it themselves)',
    (answer) =>
      answer.ok
        ? ok('sign-in', 'the script of the provider is there')
        : wrong(
            'sign-in',
            `the script of the provider answers ${answer.status}`,
            'mend GSI_SCRIPT_URL',
          ),
  )
  findings.push(script)
  // The backend checks tokens itself.
  if (API_UPSTREAM) return findings
  findings.push(
    await ask(
      'sign-in',
      ID_TOKEN_JWKS_URL,
      'mend ID_TOKEN_JWKS_URL, or let this machine reach it: without its keys nobody can sign in',
      (answer, body) => {
        const keys =
          body !== null && typeof body === 'object' && 'keys' in body && Array.isArray(body.keys)
            ? body.keys.length
            : 0
        return answer.ok && keys > 0
          ? ok('sign-in', `the provider has ${keys} keys`)
          : wrong(
              'sign-in',
              `${ID_TOKEN_JWKS_URL} gives no keys (status ${answer.status})`,
              'mend ID_TOKEN_JWKS_URL',
            )
      },
    ),
  )
  return findings
}
