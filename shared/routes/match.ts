/**
 * The matcher of the route table and its inverse: `match(href(id, params)) = {id, params}` for every route.
 * Paths are canonical and without language prefix; parameters are the segments as they stand (an id never needs decoding).
 */
import { limits } from '../constants'
import { benchRoutes, routes, type Route, type RouteId } from './table'

export type Params = Readonly<Record<string, string>>
export type Match = { route: Route; params: Params }

type Segment = { literal: string; param: string | null }
type Compiled = { route: Route; segments: readonly Segment[] }

/** `blog-{category}` is the literal `blog-` followed by a parameter; `{id}` has an empty literal; `faq` has no parameter. */
function compileSegment(source: string): Segment {
  const open = source.indexOf('{')
  if (open < 0) return { literal: source, param: null }
  if (!source.endsWith('}') || source.indexOf('{', open + 1) >= 0)
    throw new Error(`route segment ${source}: one parameter at its end`)
  return { literal: source.slice(0, open), param: source.slice(open + 1, -1) }
}

const split = (path: string): string[] => (path === '/' ? [] : path.slice(1).split('/'))
const compile = (route: Route): Compiled => ({
  route,
  segments: split(route.pattern).map(compileSegment),
})
const compiled: readonly Compiled[] = routes.map(compile)
const compiledById = new Map(
  [...compiled, ...benchRoutes.map(compile)].map((row) => [row.route.id, row]),
)

// Small indexes instead of a walk over all rows: exact paths, rows by their literal first segment, and the few whose
// first segment holds a parameter. Of these the longer literal comes first: `/blog-{category}` before `/{html}`.
const isExact = (row: Compiled): boolean => row.segments.every((segment) => segment.param === null)
const exact: ReadonlyMap<string, Match> = new Map(
  compiled.filter(isExact).map((row) => [row.route.pattern, { route: row.route, params: {} }]),
)
const byFirst = new Map<string, Compiled[]>()
const open: Compiled[] = []
for (const row of compiled.filter((candidate) => !isExact(candidate))) {
  const [first] = row.segments
  if (first && first.param === null)
    byFirst.set(first.literal, [...(byFirst.get(first.literal) ?? []), row])
  else open.push(row)
}
open.sort((a, b) => (b.segments[0]?.literal.length ?? 0) - (a.segments[0]?.literal.length ?? 0))

function matchRow(row: Compiled, parts: readonly string[]): Params | null {
  if (row.segments.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (let index = 0; index < parts.length; index += 1) {
    const segment = row.segments[index]
    const part = parts[index]
    if (!segment || part === undefined) return null
    if (segment.param === null) {
      if (part !== segment.literal) return null
    } else {
      if (part.length <= segment.literal.length || !part.startsWith(segment.literal)) return null
      params[segment.param] = segment.literal === '' ? part : part.slice(segment.literal.length)
    }
  }
  return params
}

/** The route of a canonical, unprefixed path, or null when none matches. */
export function match(path: string): Match | null {
  const known = exact.get(path)
  if (known) return known
  const parts = split(path)
  for (const row of byFirst.get(parts[0] ?? '') ?? open) {
    const params = matchRow(row, parts)
    if (params) return { route: row.route, params }
  }
  return null
}

/** A page of the benchmark; whoever asks has looked whether the settings want them. */
export function matchBench(path: string): Match | null {
  const route = benchRoutes.find(({ pattern }) => pattern === path)
  return route ? { route, params: {} } : null
}

/** The canonical, unprefixed path of a route. Throws when a parameter is missing: that is a mistake of the caller. */
export function pathOf(id: RouteId, params: Params = {}): string {
  const row = compiledById.get(id)
  if (!row) throw new Error(`no route has the id ${id}`)
  const parts = row.segments.map((segment) => {
    if (segment.param === null) return segment.literal
    const value = params[segment.param]
    if (value === undefined || value === '')
      throw new Error(`route ${id} needs the parameter ${segment.param}`)
    return segment.literal + value
  })
  return `/${parts.join('/')}`
}

/** Whether every parameter could name something: ids and tags are at most 64 characters (decisions 10). */
export const paramsInBounds = (params: Params): boolean =>
  Object.values(params).every((value) => value.length <= limits.nameLength)
