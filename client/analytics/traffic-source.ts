import type { ApiClient } from '../platform/api-client'
import type { CookieJar } from '../platform/cookie-jar'
import type { SafeStorage } from '../platform/safe-storage'
import type { Consent } from './consent'
import { redactUrl } from './redact-url'

const campaignFields = [
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'utm_campaign',
  'bd_vid',
] as const
const maxFieldLength = 512
const storageKey = 'source_recorded'

type Deps = {
  /** Address of the page that was loaded. */
  location: Pick<Location, 'href' | 'search' | 'origin'>
  referrer: string
  /** Origins of the language hosts. A visit that comes from them is not a landing. */
  origins: readonly string[]
  cookies: CookieJar
  /** Storage of the tab: a landing is recorded once, even when the page is reloaded. */
  sessionStorage: SafeStorage
  api: Pick<ApiClient, 'postForm'>
  consent: Pick<Consent, 'allowed'>
}

/** Whether the visitor came from outside the site. */
function isLanding({ location, referrer, origins }: Deps): boolean {
  if (!URL.canParse(referrer)) return true
  const { origin } = new URL(referrer)
  return origin !== location.origin && !origins.includes(origin)
}

/** Resolves once measuring is allowed; stays pending after a refusal. */
const untilAllowed = ({ allowed }: Deps['consent']): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (allowed.get()) resolve()
    }
    allowed.subscribe(check)
    check()
  })

/** The nine fields of `source_data` (spec 6.5). */
function sourceData({ location }: Deps): Readonly<Record<string, string>> {
  const query = new URLSearchParams(location.search)
  const truncated = (value: string | null): string => (value ?? '').slice(0, maxFieldLength)
  return {
    page_url: truncated(redactUrl(location.href)),
    source: truncated(query.get('source') ?? query.get('utm_source')),
    callback: truncated(redactUrl(query.get('callback') ?? '')),
    ...Object.fromEntries(campaignFields.map((name) => [name, truncated(query.get(name))])),
  }
}

/**
 * Where measuring is allowed: stores the first external referrer for a year, and records once where
 * a landing came from.
 */
export async function recordTrafficSource(deps: Deps): Promise<void> {
  if (!isLanding(deps)) return
  const { cookies, sessionStorage, api, consent } = deps
  // Read before the wait: the visitor may agree on a later page, which has another address.
  const source = sourceData(deps)
  const page = source['page_url'] ?? ''
  await untilAllowed(consent)
  const referrer = redactUrl(deps.referrer).slice(0, maxFieldLength)
  if (referrer && !cookies.get('referrer')) cookies.set('referrer', referrer)
  if (sessionStorage.get(storageKey) === page) return
  await api
    .postForm('/api/sys/user/passport/record-source', {
      referer: referrer,
      source_data: JSON.stringify(source),
    })
    .then(
      () => sessionStorage.set(storageKey, page),
      () => undefined,
    )
  // If the visitor refused after the call was sent, its answer has set the device cookie again.
  if (consent.allowed.get() === false) cookies.remove('device')
}
