import type { EventContext } from '../../shared/analytics-event'
import { readConsent } from '../../shared/consent'
import type { CookieJar } from '../platform/cookie-jar'
import type { SafeStorage } from '../platform/safe-storage'

/** Where the id of a visitor is stored who has signed in, if the backend sent one. */
export const userIdKey = 'user_id'

type Deps = {
  window: Window
  cookies: CookieJar
  storage: Pick<SafeStorage, 'get'>
  uuid: () => string
  route: () => string
  locale: string
  /** Locale, country, city, region and time zone, as `get-visitor-ip` answers them. */
  location: () => Readonly<Record<string, string>>
}

/** Tried in order: Android's user agent also names Linux, and that of iOS also Mac OS. */
const systemFamilies: ReadonlyArray<readonly [RegExp, string]> = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux|X11|CrOS/, 'Linux'],
]
const systemFamily = (userAgent: string): string =>
  systemFamilies.find(([pattern]) => pattern.test(userAgent))?.[1] ?? ''

/** Name and version of the browser: the client of the site is the browser. */
const browserVersion = (userAgent: string): string =>
  /(?:Firefox|Edg|OPR|Chrome|Version)\/[\d.]+/.exec(userAgent)?.[0] ?? ''

/**
 * The device id of this browser, a cookie of 360 days; creates it when it is missing. Only called
 * where the visitor may be measured. Events can be under way when the visitor refuses, also in
 * another tab; they have no id, because creating one would undo that the refusal deleted it.
 */
function deviceId(cookies: CookieJar, uuid: () => string): string {
  if (readConsent(cookies.get('consent')) === 'refused') return ''
  const existing = cookies.get('device')
  if (existing && /^[\w-]{8,64}$/.test(existing)) return existing
  const created = uuid()
  cookies.set('device', created)
  return created
}

/** The fields that all events of a batch share (spec 6.7). */
export function createEventContext({
  window,
  cookies,
  storage,
  uuid,
  route,
  locale,
  location,
}: Deps): EventContext {
  const { navigator, screen } = window
  return {
    user_id: storage.get(userIdKey) ?? '',
    user_info: { ...location() },
    os: systemFamily(navigator.userAgent),
    ua: navigator.userAgent.slice(0, 400),
    device_id: deviceId(cookies, uuid),
    screen_height: screen.height,
    screen_width: screen.width,
    pixel_ratio: window.devicePixelRatio,
    app_version: browserVersion(navigator.userAgent),
    page_flag: route(),
    object_type: 'website',
    locale,
  }
}
