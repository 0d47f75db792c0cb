import type { ApiClient } from '../platform/api-client'
import type { Consent } from './consent'
import type { CookieJar } from '../platform/cookie-jar'
import { reportableUrl } from './reportable-url'
import type { SafeStorage } from '../platform/safe-storage'

const fields = [
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'utm_campaign',
  'bd_vid',
] as const
const limit = 512
const recorded = 'source_recorded'

type Deps = {
  location: Pick<Location, 'href' | 'search' | 'origin'>
  referrer: string
  /** Origins of the language hosts: coming from there is no landing. */
  origins: readonly string[]
  jar: CookieJar
  /** Of the tab: one landing is recorded once, however often its page is loaded anew. */
  session: SafeStorage
  api: Pick<ApiClient, 'postForm'>
  consent: Pick<Consent, 'allowed'>
}

/** Whether the page was reached from outside the site. */
export const isLanding = ({
  location,
  referrer,
  origins,
}: Pick<Deps, 'location' | 'referrer' | 'origins'>): boolean =>
  !URL.canParse(referrer) ||
  (new URL(referrer).origin !== location.origin && !origins.includes(new URL(referrer).origin))

/** Resolves with true once measuring is known to be allowed; a refusal never resolves, and nobody waits for it. */
const allowed = ({ allowed: gate }: Deps['consent']): Promise<true> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (gate.get()) resolve(true)
    }
    gate.subscribe(look)
    look()
  })

/** Keeps the first outer referrer for a year and records where a landing came from, with the nine fields of the spec, once, where measuring is allowed. */
export async function recordSource(deps: Deps): Promise<void> {
  if (!isLanding(deps)) return
  await allowed(deps.consent)
  const { location, jar, session, api } = deps
  const referrer = reportableUrl(deps.referrer).slice(0, limit)
  if (referrer && !jar.get('referrer')) jar.set('referrer', referrer)
  const query = new URLSearchParams(location.search)
  const page = reportableUrl(location.href).slice(0, limit)
  if (session.get(recorded) === page) return
  const source = {
    page_url: page,
    source: (query.get('source') ?? query.get('utm_source') ?? '').slice(0, limit),
    callback: reportableUrl(query.get('callback') ?? '').slice(0, limit),
    ...Object.fromEntries(fields.map((name) => [name, (query.get(name) ?? '').slice(0, limit)])),
  }
  await api
    .postForm('/api/sys/user/passport/record-source', {
      referer: referrer,
      source_data: JSON.stringify(source),
    })
    .then(
      () => session.set(recorded, page),
      () => undefined,
    )
}
