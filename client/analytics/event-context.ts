import type { EventContext } from '../../shared/analytics-event'
import type { CookieJar } from '../platform/cookie-jar'

type Deps = {
  page: Window
  jar: CookieJar
  uuid: () => string
  route: () => string
  locale: string
  place: () => Readonly<Record<string, string>>
}

/** System family for reports; finer than this nobody needs. */
const familyOf = (agent: string): string =>
  /Android/.test(agent)
    ? 'Android'
    : /iPhone|iPad|iPod/.test(agent)
      ? 'iOS'
      : /Windows/.test(agent)
        ? 'Windows'
        : /Mac OS/.test(agent)
          ? 'macOS'
          : /Linux|X11|CrOS/.test(agent)
            ? 'Linux'
            : ''
/** Version of the browser as its agent string names it: the client of the site is the browser. */
const versionOf = (agent: string): string =>
  /(?:Firefox|Edg|OPR|Chrome|Version)\/[\d.]+/.exec(agent)?.[0] ?? ''

/** The device id of this browser: a cookie of 360 days. Only called where measuring is allowed. */
export function deviceId(jar: CookieJar, uuid: () => string): string {
  const known = jar.get('device')
  if (known && /^[\w-]{8,64}$/.test(known)) return known
  const made = uuid()
  jar.set('device', made)
  return made
}

/** What all events of a batch have in common (spec section 3). `place`: locale, country, city and region as `get-visitor-ip` knows them. */
export function eventContext({ page, jar, uuid, route, locale, place }: Deps): EventContext {
  const { navigator, screen } = page
  return {
    user_id: '',
    user_info: { ...place() },
    os: familyOf(navigator.userAgent),
    ua: navigator.userAgent.slice(0, 400),
    device_id: deviceId(jar, uuid),
    screen_height: screen.height,
    screen_width: screen.width,
    pixel_ratio: page.devicePixelRatio,
    app_version: versionOf(navigator.userAgent),
    page_flag: route(),
    object_type: 'website',
    locale,
  }
}
