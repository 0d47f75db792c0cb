import { limits } from '../../shared/constants'
import { localeBySegment, locales, type HostName, type LocaleCode } from '../../shared/i18n/locales'
import type { Match } from '../../shared/routes/match'
import { decodePath } from './decode-path'
import { pageRules, urlState, type UrlChange, type UrlState } from './page-rules'
import { applyPathRule } from './path-rules'
import type { RedirectRow, RedirectStatus } from './redirect-table'
import type { UrlContext } from './url-context'

/** `path` as it was sent; `query` with its `?`, or empty. */
export type RequestedUrl = { host: HostName; path: string; query: string }

export type Decision =
  | {
      kind: 'page'
      host: HostName
      locale: LocaleCode
      /** Without the language prefix. */
      path: string
      /** With the language prefix: cache key and canonical link contain it. */
      pathOnHost: string
      query: string
      match: Match | null
    }
  | {
      kind: 'redirect'
      location: string
      status: RedirectStatus
      /** The target is outside of the site. */
      external: boolean
      /** Names of the rules that applied. */
      appliedRules: readonly string[]
    }
  | { kind: 'bad'; status: 400 | 414 }

type AppliedRule = { name: string; status: RedirectStatus }

/** More than any set of rules needs; loading the redirect table refuses rows that loop. */
const maxRounds = 32

/**
 * Decides what a URL is (spec 3): the canonical page, a redirect to it, or a refusal. However many
 * rules apply, there is one redirect, and its target is canonical. Pure: it depends only on its
 * arguments.
 */
export function canonicalize(requested: RequestedUrl, context: UrlContext): Decision {
  if (requested.path.length + requested.query.length > limits.maxTargetBytes)
    return { kind: 'bad', status: 414 }
  const decodedPath = decodePath(requested.path)
  if (decodedPath === null) return { kind: 'bad', status: 400 }
  const query = withoutFirstPage(requested.query)
  const applied: AppliedRule[] = []
  if (decodedPath !== requested.path) applied.push({ name: 'encoded letters', status: 301 })
  if (query !== requested.query) applied.push({ name: 'page=1', status: 301 })
  const state = applyRules(urlState(requested.host, decodedPath, query, ''), context, applied)
  return typeof state === 'string'
    ? redirectTo(encodeForHeader(state), true, applied)
    : conclude(requested, state, context, applied)
}

/** Applies rules 2 to 9 until none applies: the final state, or a URL outside of the site. */
function applyRules(
  first: UrlState,
  context: UrlContext,
  applied: AppliedRule[],
): UrlState | string {
  const usedRows = new Set<RedirectRow>()
  let state = first
  for (let round = 0; round < maxRounds; round += 1) {
    const pathStep = applyPathRule(state.path)
    if (pathStep) {
      // Rule 10 puts the slash of `/es/?a=1` back: no rule changed the URL.
      if (round > 0 || pathStep.rule !== 'trailing slash' || !keepsSlash(state))
        applied.push({ name: pathStep.rule, status: 301 })
      state = urlState(state.host, pathStep.path, state.query, state.hash)
      continue
    }
    const change = applyPageRule(state, context, usedRows, applied)
    if (!change) break
    if (change.external !== undefined) return change.external
    state = urlState(
      change.host ?? state.host,
      change.path ?? state.path,
      change.query === undefined ? state.query : withoutFirstPage(change.query),
      change.hash ?? state.hash,
    )
  }
  return state
}

/** Applies the first page rule that changes the URL. */
function applyPageRule(
  state: UrlState,
  context: UrlContext,
  usedRows: Set<RedirectRow>,
  applied: AppliedRule[],
): UrlChange | null {
  for (const rule of pageRules) {
    const change = rule.apply(state, context, usedRows)
    if (!change) continue
    const { row, status = 301 } = change
    if (row) usedRows.add(row)
    applied.push({ name: row ? `${rule.name}, line ${row.line}` : rule.name, status })
    return change
  }
  return null
}

/** Rule 10, and the result: the page if the URL was canonical, else the redirect. */
function conclude(
  requested: RequestedUrl,
  { host, path, query, hash, locale, unprefixedPath, match }: UrlState,
  { origins }: UrlContext,
  applied: AppliedRule[],
): Decision {
  const needsSlash = unprefixedPath === '/' && locales[locale].prefix !== '' && query !== ''
  const pathInUrl = needsSlash ? `${path}/` : path
  if (host === requested.host && pathInUrl === requested.path && query === requested.query)
    return { kind: 'page', host, locale, path: unprefixedPath, pathOnHost: path, query, match }
  if (needsSlash) applied.push({ name: 'slash before the query of a language root', status: 301 })
  const location = origins[host] + encodeLocation(pathInUrl) + encodeForHeader(query + hash)
  return redirectTo(location, false, applied)
}

/** The status of one rule stays; of several it is 302 if one was temporary, else 301. */
function redirectTo(
  location: string,
  external: boolean,
  applied: readonly AppliedRule[],
): Decision {
  const [first] = applied
  const isTemporary = applied.some(({ status }) => status === 302 || status === 307)
  const status = applied.length === 1 && first ? first.status : isTemporary ? 302 : 301
  const appliedRules = applied.map(({ name }) => name)
  return { kind: 'redirect', location, status, external, appliedRules }
}

/**
 * Whether rule 10 keeps the slash at the end of the path: it is the root of a prefixed language
 * with a query (`/es/?a=1`).
 */
const keepsSlash = ({ path, query }: UrlState): boolean =>
  query !== '' && localeBySegment.get(path.slice(1, -1))?.prefix === path.slice(0, -1)

/** Removes `page=1`, which is the list itself; the rest of the query stays byte for byte. */
function withoutFirstPage(query: string): string {
  if (!query.includes('page=1')) return query
  const rest = query
    .slice(1)
    .split('&')
    .filter((part) => part !== 'page=1')
    .join('&')
  return rest === '' ? '' : `?${rest}`
}

/** Encodes the characters that a path must not contain (RFC 3986, section 3.3). */
const encodeLocation = (path: string): string =>
  path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu, encodeURIComponent)

/** Encodes only what no header may contain; the rest of a query stays byte for byte. */
const encodeForHeader = (text: string): string => text.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
