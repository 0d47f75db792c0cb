import type { LocaleCode } from '../../shared/i18n/locales'
import type { Missing, PageCarrying, Redirecting } from '../../shared/payload'
import type { RouteId } from '../../shared/routes/table'
import type { LoadingBar } from './loading-bar'
import type { Payloads } from './payloads'

/** How the page was asked for: by a link, by a link to the page itself, by the browser's buttons. */
export type How = 'push' | 'replace' | 'pop'
export type Arrival<Code> = {
  url: URL
  how: How
  payload: PageCarrying
  code: Code
  /** ms since the click. */ duration: number
}
type Options<Code> = {
  payloads: Payloads
  buildId: string
  locale: LocaleCode
  bar: Pick<LoadingBar, 'start' | 'finish' | 'fail'>
  now: () => number
  /** The route that a path probably has, so that its code comes with the payload and not after it. */
  routeOf: (path: string) => RouteId | null
  loadCode: (route: RouteId) => Promise<Code>
  /** The page that stands in for one that does not exist. */
  missingPage: (answer: Missing, url: URL, signal: AbortSignal) => Promise<PageCarrying>
  isStale: () => boolean
  /** Learns whether a later build is out; what was fetched ahead cannot tell. Never long, never rejects. */
  confirmBuild: () => Promise<void>
  isOffline: () => boolean
  arrive: (arrival: Arrival<Code>) => void
  /** Loads an address fully. `replace`: the entry of the history is already that page's. */
  leave: (address: string, how: How) => void
  offline: (how: How) => void
  payloadFailed: (url: URL, error: unknown) => void
  codeFailed: (url: URL, error: unknown, how: How) => void
}
export type Navigation = {
  open: (url: URL, how: How) => Promise<void>
  /** Stays: what was on its way is given up. */ stay: () => void
}

/** A redirect of the table is one hop; more than a few would be a loop between pages and a table that has just changed. */
const hops = 5
class CodeFailure extends Error {}
type Found<Code> = { url: URL; payload: PageCarrying; code: Code }

/**
 * Shows another page in the place of this one: payload and code are fetched side by side, then the page changes at once. A
 * later call supersedes an earlier one. Whatever cannot be shown here (another build, language or site, a failure) is a
 * full load, so a link always leads where it says.
 */
export function createNavigation<Code>(options: Options<Code>): Navigation {
  const {
    payloads,
    buildId,
    locale,
    bar,
    now,
    routeOf,
    loadCode,
    isStale,
    isOffline,
    arrive,
    leave,
    offline,
  } = options
  let pending: { address: string; controller: AbortController } | null = null

  async function codeOf(route: RouteId): Promise<Code> {
    try {
      return await loadCode(route)
    } catch (cause) {
      throw new CodeFailure('the code of the page could not be fetched', { cause })
    }
  }
  /** Where a redirect leads: inside the app, or to an address that must be loaded. */
  const follow = ({ redirect }: Redirecting, from: URL): URL | string =>
    redirect.external
      ? redirect.location
      : new URL(redirect.location + (redirect.location.includes('#') ? '' : from.hash), from)

  async function missing(answer: Missing, url: URL, signal: AbortSignal): Promise<Found<Code>> {
    const [payload, code] = await Promise.all([
      options.missingPage(answer, url, signal),
      codeOf('error-404'),
    ])
    return { url, payload, code }
  }
  async function find(asked: URL, signal: AbortSignal): Promise<Found<Code> | string> {
    let url = asked
    for (let hop = 0; hop < hops; hop += 1) {
      const guess = routeOf(url.pathname)
      // Should it fail, the failure counts only when the payload asks for the same code.
      if (guess) void codeOf(guess).catch(() => undefined)
      const payload = await payloads.get(url, { signal })
      if (payload.buildId !== buildId) return url.href
      if ('statusCode' in payload) return missing(payload, url, signal)
      if (!('redirect' in payload))
        return payload.locale === locale
          ? { url, payload, code: await codeOf(payload.route) }
          : url.href
      const next = follow(payload, url)
      if (typeof next === 'string') return next
      url = next
    }
    return url.href
  }
  function fail(url: URL, how: How, error: unknown): void {
    bar.fail()
    if (isOffline()) return offline(how)
    if (error instanceof CodeFailure) return options.codeFailed(url, error.cause, how)
    options.payloadFailed(url, error)
    leave(url.href, how)
  }
  return {
    stay() {
      pending?.controller.abort()
      if (pending) bar.finish()
      pending = null
    },
    async open(url, how) {
      if (pending?.address === url.href && how !== 'pop') return
      pending?.controller.abort()
      const run = { address: url.href, controller: new AbortController() }
      pending = run
      const began = now()
      bar.start()
      if (payloads.has(url)) await options.confirmBuild()
      if (pending !== run) return
      if (isStale()) return leave(url.href, how)
      try {
        const found = await find(url, run.controller.signal)
        if (pending !== run) return
        pending = null
        if (typeof found === 'string') return leave(found, how)
        bar.finish()
        arrive({
          ...found,
          how: how === 'pop' && found.url.href !== url.href ? 'replace' : how,
          duration: now() - began,
        })
      } catch (error) {
        if (pending !== run) return
        pending = null
        fail(url, how, error)
      }
    },
  }
}
