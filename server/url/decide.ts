import { href } from '../../shared/routes/href'
import { switchLocale } from '../../shared/routes/availability'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import type { Settings } from '../env'
import { canonicalize, type RequestedUrl, type Decision, type UrlContext } from './canonicalize'
import { splitTarget } from './decode-path'
import { negotiateLocale, type Visitor } from './negotiate-locale'

export type Choice = {
  kind: 'choose'
  locale: LocaleCode
  location: string
  fired: readonly string[]
}
export type PageDecision = Extract<Decision, { kind: 'page' }>

/** Whether a visitor's preference may send him elsewhere from this page: such a page is not shared by caches. */
export function isNegotiated(
  mode: Settings['LOCALE_NEGOTIATION'],
  { host, locale, path }: Pick<PageDecision, 'host' | 'locale' | 'path'>,
): boolean {
  if (mode === 'off' || host !== 'en' || locale !== 'en') return false
  return mode === 'unprefixed' || path === '/'
}

/** The page that a decision leads to on our own hosts: itself, or the end of its one redirect. */
function destination(
  asked: RequestedUrl,
  decision: Decision,
  urlContext: UrlContext,
): PageDecision | null {
  if (decision.kind === 'page') return decision
  if (decision.kind !== 'redirect' || decision.external) return null
  const host = (['en', 'zh', 'ru'] as const).find((name) =>
    decision.location.startsWith(`${urlContext.origins[name]}/`),
  )
  const next = host
    ? canonicalize({ ...asked, host, ...splitTarget(decision.location) }, urlContext)
    : null
  return next?.kind === 'page' ? next : null
}

/**
 * The canonical decision and the choice of a language as one: also who enters by `//` or by `/index.html` is sent to his
 * language in one hop. `varies`: the answer depends on the visitor's language, also where it leaves him where he is.
 */
export function decide(
  asked: RequestedUrl,
  visitor: Visitor,
  mode: Settings['LOCALE_NEGOTIATION'],
  urlContext: UrlContext,
): { answer: Decision | Choice; varies: boolean } {
  const answer = canonicalize(asked, urlContext)
  const page = destination(asked, answer, urlContext)
  if (!page?.match || !isNegotiated(mode, page)) return { answer, varies: false }
  const from = { route: page.match.route.id, params: page.match.params }
  const locale = negotiateLocale(from, visitor, urlContext.origins)
  const target = locale && switchLocale(from, locale)
  if (!locale || !target) return { answer, varies: true }
  // The language's own rules decide on the rest: host, slash before a query.
  const end = canonicalize(
    {
      host: locales[locale].domain,
      path: href(locale, target.route, target.params),
      query: page.query,
    },
    urlContext,
  )
  const location =
    end.kind === 'redirect' && !end.external
      ? end.location
      : end.kind === 'page'
        ? urlContext.origins[end.host] + end.pathOnHost + end.query
        : null
  const fired = [...(answer.kind === 'redirect' ? answer.fired : []), 'language of the visitor']
  return { answer: location ? { kind: 'choose', locale, location, fired } : answer, varies: true }
}
