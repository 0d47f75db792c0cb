import type { Settings } from '../../env'
import { checkStatistics } from './check-statistics'
import { checkUrl, fieldOf } from './check-url'
import { note, ok, problem, type Finding } from './finding'

const withoutKey = 'neither credentials nor events are sent'

/** Browsers encrypt credentials and events for the backend's key, from a setting or from a call. */
async function checkPublicKey({
  API_UPSTREAM,
  UPSTREAM_SIGNIN,
  UPSTREAM_PUBLIC_KEY,
}: Settings): Promise<Finding[]> {
  if (UPSTREAM_PUBLIC_KEY) return [ok('backend', 'its public key is UPSTREAM_PUBLIC_KEY')]
  if (UPSTREAM_SIGNIN === 'spec')
    return [
      problem(
        'backend',
        `UPSTREAM_SIGNIN=spec without UPSTREAM_PUBLIC_KEY: ${withoutKey}`,
        "set UPSTREAM_PUBLIC_KEY to the backend's public key: SPKI, base64 of the DER form",
      ),
    ]
  const call = {
    topic: 'backend',
    clockName: 'the backend',
    url: `${API_UPSTREAM}/sys/config/public-key`,
    fix: 'start the backend',
  }
  const finding = await checkUrl(call, ({ body }) =>
    typeof fieldOf(fieldOf(body, 'data'), 'spki') === 'string'
      ? ok('backend', 'it publishes its public key')
      : note(
          'backend',
          `it does not publish its public key: ${withoutKey}`,
          'set UPSTREAM_PUBLIC_KEY, and UPSTREAM_SIGNIN=spec when it has no nonce call either',
        ),
  )
  return [finding]
}

const textOf = (body: unknown, name: string): string => {
  const value = fieldOf(fieldOf(body, 'data'), name)
  return typeof value === 'string' ? value : ''
}

/** Checks the operator's backend with the call that every page needs. */
export async function checkUpstream(settings: Settings): Promise<Finding[]> {
  const { API_UPSTREAM, APP_URL } = settings
  if (!API_UPSTREAM) return [ok('backend', 'API_UPSTREAM is empty: the embedded API answers')]
  const call = {
    topic: 'backend',
    clockName: 'the backend',
    url: `${API_UPSTREAM}/home/base-info?lang=en-US&type=home`,
    fix: 'start the backend, or correct API_UPSTREAM; until then pages have the links of content/site.yaml, and API calls answer 502 or 504',
  }
  let statistics: Finding[] = []
  const backend = await checkUrl(call, (response) => {
    const code = fieldOf(response.body, 'code')
    if (!response.ok || code !== 0)
      return problem(
        'backend',
        `${API_UPSTREAM} answers base info with status ${response.status} and code ${code === undefined ? 'none' : JSON.stringify(code)}`,
        'check the address including its path, and the log of the backend',
      )
    statistics = checkStatistics(settings, 'base info of the backend', {
      statistical_title: textOf(response.body, 'statistical_title'),
      statistical_body: textOf(response.body, 'statistical_body'),
    })
    return ok('backend', `${API_UPSTREAM} answers`)
  })
  const publicKey = backend.level === 'ok' ? await checkPublicKey(settings) : []
  const app =
    APP_URL === '/app'
      ? [
          note(
            'backend',
            'APP_URL is /app, which only the embedded API has',
            'set APP_URL to the real application',
          ),
        ]
      : []
  return [backend, ...publicKey, ...statistics, ...app]
}
