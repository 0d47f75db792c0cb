import { hostNames, locales, type LocaleCode } from '../../shared/i18n/locales'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { Settings } from '../env'
import { canonicalize, type Decision, type RequestedUrl } from './canonicalize'
import { splitTarget } from './decode-path'
import { negotiateLocale, type VisitorHeaders } from './negotiate-locale'
import type { UrlContext } from './url-context'

export type PageDecision = Extract<Decision, { kind: 'page' }>

/** A redirect to the language that the visitor prefers. */
type LocaleRedirect = {
  kind: 'locale-redirect'
  locale: LocaleCode
  location: string
  appliedRules: readonly string[]
}

type UrlDecision = {
  decision: Decision | LocaleRedirect
  /** Whether the response depends on the visitor's language, even where it is not a redirect. */
  varies: boolean
}

/** Whether a page may redirect to the visitor's language (spec 4.3): caches must not share it. */
export function isNegotiated(
  mode: Settings['LOCALE_NEGOTIATION'],
  { host, locale, path }: Pick<PageDecision, 'host' | 'locale' | 'path'>,
): boolean {
  if (mode === 'off' || host !== 'en' || locale !== 'en') return false
  return mode === 'unprefixed' || path === '/'
}

/** The page of this site that a decision leads to: itself, or the target of its redirect. */
function targetPage(
  requested: RequestedUrl,
  decision: Decision,
  context: UrlContext,
): PageDecision | null {
  if (decision.kind === 'page') return decision
  if (decision.kind !== 'redirect' || decision.external) return null
  const host = hostNames.find((name) => decision.location.startsWith(`${context.origins[name]}/`))
  if (!host) return null
  const target = canonicalize({ ...requested, host, ...splitTarget(decision.location) }, context)
  return target.kind === 'page' ? target : null
}

/** Canonical URL of a path in a language: URL rules choose the host and the final slash. */
function canonicalLocation(
  locale: LocaleCode,
  path: string,
  query: string,
  context: UrlContext,
): string | null {
  const decision = canonicalize({ host: locales[locale].domain, path, query }, context)
  if (decision.kind === 'redirect') return decision.external ? null : decision.location
  return decision.kind === 'page'
    ? context.origins[decision.host] + decision.pathOnHost + decision.query
    : null
}

/**
 * Combines the canonical URL with the negotiation of the language: one redirect leads a visitor who
 * enters at `//` or `/index.html` to the page in the preferred language.
 */
export function decideUrl(
  requested: RequestedUrl,
  visitor: VisitorHeaders,
  mode: Settings['LOCALE_NEGOTIATION'],
  context: UrlContext,
): UrlDecision {
  const decision = canonicalize(requested, context)
  const page = targetPage(requested, decision, context)
  if (!page?.match || !isNegotiated(mode, page)) return { decision, varies: false }
  const from = { route: page.match.route.id, params: page.match.params }
  const locale = negotiateLocale(from, visitor, context.origins)
  const target = locale && switchLocale(from, locale)
  if (!locale || !target) return { decision, varies: true }
  const path = href(locale, target.route, target.params)
  const location = canonicalLocation(locale, path, page.query, context)
  if (!location) return { decision, varies: true }
  const canonicalRules = decision.kind === 'redirect' ? decision.appliedRules : []
  const appliedRules = [...canonicalRules, 'language of the visitor']
  return { decision: { kind: 'locale-redirect', locale, location, appliedRules }, varies: true }
}
