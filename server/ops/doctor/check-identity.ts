import type { Settings } from '../../env'
import { checkUrl, fieldOf } from './check-url'
import { ok, problem, type Finding } from './finding'

const googleIssuer = 'https://accounts.google.com'
const isPlainHttp = (url: string): boolean =>
  url.startsWith('http:') && !/\/\/(?:[\w.]+\.)?localhost(?::|$)/.test(url)

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
