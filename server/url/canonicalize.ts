/**
 * THE DECISION (decisions 3): one pure function from {host, path, query} to the canonical page or the one final
 * location. Rules are tables; whatever number of them fire, the visitor is redirected once, and applying it to its own
 * result changes nothing. Nothing else in this site takes a URL apart.
 */
import {
  hostLanguages,
  localeBySegment,
  locales,
  type HostName,
  type Locale,
  type LocaleCode,
} from '../../shared/i18n/locales'
import { redirectFor } from '../../shared/routes/availability'
import { localePath, type Origins } from '../../shared/routes/href'
import { match, pathOf, type Match } from '../../shared/routes/match'
import { limits } from '../../shared/constants'
import { decodePath } from './decode-path'
import type { RedirectRow, RedirectTable } from './redirect-table'

/** What is asked: the language host, the path as it was sent, the query with its `?` or empty. */
export type RequestedUrl = { host: HostName; path: string; query: string }

/** What the decision depends on besides the URL: a snapshot, so that the function stays pure. */
export type UrlContext = {
  origins: Origins
  redirects: RedirectTable
  /** First document of a language's sidebar. */
  firstDoc: (locale: LocaleCode) => string | null
  isSolution: (id: string) => boolean
  preSales: boolean
}

export type Decision =
  /** `path` is unprefixed; `pathOnHost` is what the cache key and canonical link are made of. */
  | {
      kind: 'page'
      host: HostName
      locale: LocaleCode
      path: string
      pathOnHost: string
      query: string
      match: Match | null
    }
  | {
      kind: 'redirect'
      location: string
      status: 301 | 302 | 307 | 308
      external: boolean
      fired: readonly string[]
    }
  | { kind: 'bad'; status: 400 | 414 }

/** `named` is the language that the first segment names, `rest` the path after it where it is a prefix; `found` the route of `rest`. */
type State = {
  host: HostName
  path: string
  query: string
  hash: string
  named: Locale | null
  afterSegment: string
  locale: LocaleCode
  rest: string
  found: Match | null
}
type Fired = { name: string; status: 301 | 302 | 307 | 308 }
type Step = {
  path?: string
  query?: string
  hash?: string
  host?: HostName
  status?: Fired['status']
  external?: string
  row?: RedirectRow
}

type PathRule = { name: string; when: RegExp; apply: (path: string) => string }

/** Rules 2 to 5, on the path alone. */
export const pathRules: readonly PathRule[] = [
  { name: 'backslash', when: /\\/, apply: (path) => path.replaceAll('\\', '/') },
  { name: 'repeated slashes', when: /\/\//, apply: (path) => path.replace(/\/{2,}/g, '/') },
  { name: 'dot segments', when: /\/\.\.?(?:\/|$)/, apply: resolveDots },
  {
    name: 'index.html',
    when: /\/index\.html$/,
    apply: (path) => path.slice(0, -'index.html'.length),
  },
  { name: '.html suffix', when: /\.html$/, apply: (path) => path.slice(0, -'.html'.length) },
  { name: 'trailing slash', when: /.\/$/, apply: (path) => path.slice(0, -1) },
  // Encoded bytes keep their capitals: `%2F` is data, not a word.
  {
    name: 'capital letters',
    when: /^(?:%[0-9a-fA-F]{2}|[^A-Z%])*[A-Z]/,
    apply: (path) =>
      path.replace(/%[0-9a-fA-F]{2}|[A-Z]/g, (part) =>
        part.length === 1 ? part.toLowerCase() : part,
      ),
  },
]
// One look tells that none of the path rules can fire: almost always so.
const suspicious = /[\\A-Z]|\/\/|\/\.|\.html$|.\/$/

type PageRule = {
  name: string
  apply: (state: State, urlContext: UrlContext, used: ReadonlySet<RedirectRow>) => Step | null
}

/** Rules 6 to 9, on language, host and page. */
export const pageRules: readonly PageRule[] = [
  {
    name: 'language of another host in the path',
    apply: ({ named, afterSegment }) =>
      named && named.prefix === '' ? { host: named.domain, path: afterSegment } : null,
  },
  {
    name: 'alias of a language prefix',
    apply: ({ named, path, afterSegment }) =>
      named && named.prefix !== '' && !isBelow(path, named.prefix)
        ? { path: localePath(named.code, afterSegment) }
        : null,
  },
  {
    name: 'host of the language',
    apply: ({ host, locale }) =>
      locales[locale].domain === host ? null : { host: locales[locale].domain },
  },
  { name: 'redirect table', apply: fromTable },
  {
    name: 'availability',
    apply: ({ found, locale }) => {
      const instead = found && redirectFor({ route: found.route.id, params: found.params }, locale)
      return instead
        ? {
            path: localePath(locale, pathOf(instead.route, instead.params)),
            status: instead.status,
          }
        : null
    },
  },
  { name: 'page of another page', apply: otherPage },
]

function resolveDots(path: string): string {
  const out: string[] = []
  const parts = path.split('/').slice(1)
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1
    if (part === '..') out.pop()
    if (part === '.' || part === '..') {
      if (last) out.push('')
    } else out.push(part)
  }
  return `/${out.join('/')}`
}

const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) &&
  (path.length === prefix.length || path.charCodeAt(prefix.length) === 47)

/** Rule 8: by the path with its language prefix, then without it; a relative target stays in the language. */
function fromTable(
  { path, rest, query, locale }: State,
  { redirects }: UrlContext,
  used: ReadonlySet<RedirectRow>,
): Step | null {
  const whole = redirects.find(path, locale)
  const hit = whole ?? (rest === path ? null : redirects.find(rest, locale))
  if (!hit || used.has(hit.row)) return null
  const [beforeHash = '', hash = ''] = splitOnce(hit.to, '#')
  const [target = '', ownQuery = ''] = splitOnce(beforeHash, '?')
  const joined =
    ownQuery === '' ? query : query === '' ? `?${ownQuery}` : `?${ownQuery}&${query.slice(1)}`
  const fragment = hash === '' ? '' : `#${hash}`
  if (hit.external)
    return { external: target + joined + fragment, status: hit.row.status, row: hit.row }
  return {
    path: whole ? target : localePath(locale, target),
    query: joined,
    hash: fragment,
    status: hit.row.status,
    row: hit.row,
  }
}

const splitOnce = (text: string, mark: string): [string, string] => {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Rows of decisions 5 that depend on content or on the site's switches, and the order of joined tags. */
function otherPage({ found, locale }: State, urlContext: UrlContext): Step | null {
  if (!found) return null
  const { route, params } = found
  if (route.id === 'docs') {
    const first = urlContext.firstDoc(locale)
    return first ? { path: localePath(locale, pathOf('doc', { id: first })), status: 302 } : null
  }
  if (route.id === 'case' && urlContext.isSolution(params['id'] ?? ''))
    return { path: localePath(locale, pathOf('solution', params)) }
  if (route.id === 'pre-sales' && !urlContext.preSales)
    return { path: localePath(locale, '/'), status: 302 }
  const tags = params['tags']
  // What holds other characters names no tag, so it has no order either.
  if (tags === undefined || !/^[a-z0-9+-]+$/.test(tags)) return null
  const sorted = [...new Set(tags.split('+'))].sort().join('+')
  return sorted === tags || sorted === ''
    ? null
    : { path: localePath(locale, pathOf(route.id, { ...params, tags: sorted })) }
}

/** What the page rules look at, worked out once for a host and path. */
function stateOf(host: HostName, path: string, query: string, hash: string): State {
  const end = path.indexOf('/', 1)
  const named = localeBySegment.get(end < 0 ? path.slice(1) : path.slice(1, end)) ?? null
  const afterSegment = named ? (end < 0 ? '/' : path.slice(end)) : path
  const prefixed = named !== null && named.prefix !== ''
  const rest = prefixed ? afterSegment : path
  return {
    host,
    path,
    query,
    hash,
    named,
    afterSegment,
    locale: prefixed ? named.code : hostLanguages[host],
    rest,
    found: match(rest),
  }
}

/** `/es/`: with a query, the one form that keeps its slash (rule 10). */
const isPrefixRoot = (path: string): boolean =>
  path.endsWith('/') &&
  path.length > 1 &&
  localeBySegment.get(path.slice(1, -1))?.prefix === path.slice(0, -1)

/** `page=1` is the list itself; everything else of the query is kept byte for byte. */
function cleanQuery(query: string): string {
  if (!query.includes('page=1')) return query
  const kept = query
    .slice(1)
    .split('&')
    .filter((part) => part !== 'page=1')
    .join('&')
  return kept === '' ? '' : `?${kept}`
}

/** Characters that a path may not hold unencoded (RFC 3986 3.3): only they are encoded in a location. */
const encodeLocation = (path: string): string =>
  path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/gu, encodeURIComponent)

/** A query is kept byte for byte; only what no request can hold, and no header may, is encoded. */
const encodeQuery = (query: string): string => query.replace(/[^\x21-\x7e]/gu, encodeURIComponent)

/** More rounds than any table of rules can need; a table that loops is refused when it is loaded. */
const maxRounds = 32

export function canonicalize(asked: RequestedUrl, urlContext: UrlContext): Decision {
  if (asked.path.length + asked.query.length > limits.targetBytes)
    return { kind: 'bad', status: 414 }
  const decoded = decodePath(asked.path)
  if (decoded === null) return { kind: 'bad', status: 400 }

  let state = stateOf(asked.host, decoded, cleanQuery(asked.query), '')
  const fired: Fired[] = []
  const used = new Set<RedirectRow>()
  if (decoded !== asked.path) fired.push({ name: 'encoded letters', status: 301 })
  if (state.query !== asked.query) fired.push({ name: 'page=1', status: 301 })

  const keepsSlash = state.query !== '' && isPrefixRoot(decoded)
  for (let round = 0; round < maxRounds; round += 1) {
    const step =
      applyPathRules(state, fired, keepsSlash && round === 0) ??
      applyPageRules(state, urlContext, fired, used)
    if (step === null) break
    if (step.external !== undefined) return redirectTo(step.external, true, fired)
    state = stateOf(
      step.host ?? state.host,
      step.path ?? state.path,
      step.query === undefined ? state.query : cleanQuery(step.query),
      step.hash ?? state.hash,
    )
  }

  const { host, path, query, locale, rest, found } = state
  // Rule 10.
  const pathOnHost =
    rest === '/' && locales[locale].prefix !== '' && query !== '' ? `${path}/` : path
  if (host === asked.host && pathOnHost === asked.path && query === asked.query)
    return { kind: 'page', host, locale, path: rest, pathOnHost: path, query, match: found }
  if (pathOnHost !== path)
    fired.push({ name: 'slash before the query of a language root', status: 301 })
  return redirectTo(
    urlContext.origins[host] + encodeLocation(pathOnHost) + encodeQuery(query) + state.hash,
    false,
    fired,
  )
}

function applyPathRules(state: State, fired: Fired[], quiet: boolean): Step | null {
  if (!suspicious.test(state.path)) return null
  for (const rule of pathRules) {
    if (!rule.when.test(state.path)) continue
    // The slash of `/es/?a=1` is taken off here and put back by rule 10: that is no rule that fired.
    if (!(quiet && rule.name === 'trailing slash')) fired.push({ name: rule.name, status: 301 })
    return { path: rule.apply(state.path) || '/' }
  }
  return null
}

/** A path with rules 2 to 5 applied until none fires: the form in which rows of the redirect table are kept. */
export function applyAllPathRules(path: string): string {
  const rule = suspicious.test(path) ? pathRules.find(({ when }) => when.test(path)) : undefined
  return rule ? applyAllPathRules(rule.apply(path) || '/') : path
}

function applyPageRules(
  state: State,
  urlContext: UrlContext,
  fired: Fired[],
  used: Set<RedirectRow>,
): Step | null {
  for (const rule of pageRules) {
    const step = rule.apply(state, urlContext, used)
    if (!step) continue
    if (step.row) used.add(step.row)
    fired.push({
      name: step.row ? `${rule.name}, line ${step.row.line}` : rule.name,
      status: step.status ?? 301,
    })
    return step
  }
  return null
}

function redirectTo(location: string, external: boolean, fired: readonly Fired[]): Decision {
  const [only] = fired
  const temporary = fired.some(({ status }) => status === 302 || status === 307)
  const status = fired.length === 1 && only ? only.status : temporary ? 302 : 301
  return { kind: 'redirect', location, status, external, fired: fired.map(({ name }) => name) }
}
