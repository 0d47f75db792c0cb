import type { LocaleCode } from '../../shared/i18n/locales'
import type { NotFoundPayload, PagePayload, RedirectPayload } from '../../shared/payload'
import type { RouteId } from '../../shared/routes/table'
import type { AnyPage } from '../pages'
import type { PayloadCache } from './payload-cache'

/** A page that can be shown without a load, or the address to load fully. */
export type ResolvedTarget =
  | { kind: 'page'; page: { url: URL; payload: PagePayload; component: AnyPage } }
  | { kind: 'load'; address: string }

type Options = {
  payloads: Pick<PayloadCache, 'get'>
  buildId: string
  locale: LocaleCode
  /** The route that a path probably has, so that its code is fetched beside the payload. */
  guessRoute: (path: string) => RouteId | null
  /** Whether the page can be shown with what this page was loaded with. */
  canShow: (route: RouteId) => boolean
  loadPage: (route: RouteId) => Promise<AnyPage>
  fetchNotFoundPage: (
    answer: NotFoundPayload,
    url: URL,
    signal: AbortSignal,
  ) => Promise<PagePayload>
}

/** The code of a page could not be fetched; `cause` is the error of the module loader. */
export class CodeLoadError extends Error {}

/** A redirect is one hop. More hops happen only when the redirect table has just changed. */
const maxRedirects = 5

/**
 * The target of a redirect: a URL followed without a load, or an absolute address of another site.
 * The hash of the link is kept.
 */
const redirectTarget = ({ redirect }: RedirectPayload, from: URL): URL | string =>
  redirect.external
    ? redirect.location
    : new URL(redirect.location + (redirect.location.includes('#') ? '' : from.hash), from)

/**
 * Fetches payload and code of a page in parallel and follows redirects. Another build or language,
 * and a page that cannot be shown, resolve to a full load. Rejects when the payload cannot be
 * fetched, or with a CodeLoadError.
 */
export async function resolveTarget(
  url: URL,
  signal: AbortSignal,
  { payloads, buildId, locale, guessRoute, canShow, loadPage, fetchNotFoundPage }: Options,
): Promise<ResolvedTarget> {
  async function loadCode(route: RouteId): Promise<AnyPage> {
    try {
      return await loadPage(route)
    } catch (cause) {
      throw new CodeLoadError('the code of the page could not be fetched', { cause })
    }
  }
  for (let hop = 0; hop < maxRedirects; hop += 1) {
    const guess = guessRoute(url.pathname)
    // A failure counts only when the payload names the same route: it is then raised below.
    if (guess) loadCode(guess).catch(() => undefined)
    const payload = await payloads.get(url, { signal })
    if (payload.buildId !== buildId) break
    if ('redirect' in payload) {
      const target = redirectTarget(payload, url)
      if (typeof target === 'string') return { kind: 'load', address: target }
      url = target
      continue
    }
    if ('statusCode' in payload) {
      if (!canShow('error-404')) break
      const [notFound, component] = await Promise.all([
        fetchNotFoundPage(payload, url, signal),
        loadCode('error-404'),
      ])
      return { kind: 'page', page: { url, payload: notFound, component } }
    }
    if (payload.locale !== locale || !canShow(payload.route)) break
    return { kind: 'page', page: { url, payload, component: await loadCode(payload.route) } }
  }
  return { kind: 'load', address: url.href }
}
