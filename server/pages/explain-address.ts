import { decideUrl, type PageDecision } from '../url/decide-url'
import { splitTarget } from '../url/decode-path'
import type { Hosts } from '../url/hosts'
import type { VisitorHeaders } from '../url/negotiate-locale'
import type { UrlContext } from '../url/url-context'
import type { ContentStore } from '../content/store/store'
import type { Settings } from '../env'
import { guards } from './guards'

type Explanation = {
  /** Language host that serves it. */
  host: keyof Hosts['origins']
  origin: string
  /** The URL rules that fire, in their order. */
  rules: readonly string[]
  status: number
  /** Where a redirect leads; empty for pages. */
  location: string
  route: string
  details: string[]
}
type Services = {
  hosts: Hosts
  store: ContentStore
  settings: Pick<Settings, 'LOCALE_NEGOTIATION'>
  urlContext: () => UrlContext
}

/** Splits an address without `new URL`, which would already apply some of the rules. */
function splitAddress(address: string): { authority: string; target: string } {
  const [scheme = ''] = /^https?:\/\//i.exec(address) ?? []
  if (scheme === '') return { authority: '', target: address }
  const rest = address.slice(scheme.length)
  const end = rest.search(/[/\?#]/)
  return end < 0
    ? { authority: rest, target: '/' }
    : { authority: rest.slice(0, end), target: rest.slice(end) }
}

function explainPage({ match, locale }: PageDecision, store: ContentStore) {
  const language = `language ${locale}`
  if (!match) return { status: 404, route: '', details: [language, 'no route matches'] }
  const { route, params } = match
  const details = [language, `pattern: ${route.pattern}`, `parameters: ${JSON.stringify(params)}`]
  if (!route.guard) return { status: 200, route: route.id, details }
  const { checks, passes } = guards[route.guard]
  const collection = 'collection' in route.load ? route.load.collection : null
  const isFound = passes({ params, locale, store, collection })
  return {
    status: isFound ? 200 : 404,
    route: route.id,
    details: [...details, `guard    ${route.guard}: ${checks}`],
  }
}

/**
 * Which URL rules apply to an address, in order, and the answer. 200 means the page, or 404 where
 * its route has no guard and its parameters name nothing.
 */
export function explainAddress(
  address: string,
  visitor: VisitorHeaders,
  { hosts, store, settings, urlContext }: Services,
): Explanation {
  const { authority, target } = splitAddress(address)
  const host = hosts.hostNameOf(authority)
  const { decision } = decideUrl(
    { host, ...splitTarget(target) },
    visitor,
    settings.LOCALE_NEGOTIATION,
    urlContext(),
  )
  const base = { host, origin: hosts.origins[host], rules: [], location: '', route: '' }
  if (decision.kind === 'bad') return { ...base, status: decision.status, details: [] }
  if (decision.kind === 'page') return { ...base, ...explainPage(decision, store) }
  const { appliedRules, location } = decision
  const status = decision.kind === 'locale-redirect' ? 302 : decision.status
  return { ...base, rules: appliedRules, status, location, details: [] }
}
