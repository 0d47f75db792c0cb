import { limits } from '../constants'
import { benchRoutes, routes, type Route, type RouteId } from './table'

export type Params = Readonly<Record<string, string>>
export type Match = { route: Route; params: Params }

type Segment = { literal: string; param: string | null }
/** `isExact`: it has no parameters, so its pattern is its path. */
type CompiledRoute = { route: Route; segments: readonly Segment[]; isExact: boolean }

/** A segment is a literal, or a literal (it may be empty) and a parameter: `blog-{category}`. */
function compileSegment(source: string): Segment {
  const open = source.indexOf('{')
  if (open < 0) return { literal: source, param: null }
  if (!source.endsWith('}') || source.indexOf('{', open + 1) >= 0)
    throw new Error(`route segment ${source}: a parameter must be its end`)
  return { literal: source.slice(0, open), param: source.slice(open + 1, -1) }
}

const splitPath = (path: string): string[] => path.slice(1).split('/')
function compile(route: Route): CompiledRoute {
  const segments = splitPath(route.pattern).map(compileSegment)
  return { route, segments, isExact: segments.every(({ param }) => param === null) }
}
const compiled: readonly CompiledRoute[] = routes.map(compile)
const compiledById = new Map(
  [...compiled, ...benchRoutes.map(compile)].map((row) => [row.route.id, row]),
)

// Indexes, so that a match does not try all routes: exact paths, routes by their literal first
// segment, and routes whose first segment has a parameter. Of these the longer literal comes first:
// `/blog-{category}` before `/{html}`.
const exactMatches: ReadonlyMap<string, Match> = new Map(
  compiled
    .filter(({ isExact }) => isExact)
    .map(({ route }) => [route.pattern, { route, params: {} }]),
)
const byFirstSegment = new Map<string, CompiledRoute[]>()
const withParamFirst: CompiledRoute[] = []
for (const row of compiled.filter(({ isExact }) => !isExact)) {
  const [first] = row.segments
  if (first && first.param === null)
    byFirstSegment.set(first.literal, [...(byFirstSegment.get(first.literal) ?? []), row])
  else withParamFirst.push(row)
}
withParamFirst.sort(
  (a, b) => (b.segments[0]?.literal.length ?? 0) - (a.segments[0]?.literal.length ?? 0),
)

function matchRow(row: CompiledRoute, parts: readonly string[]): Params | null {
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
      params[segment.param] = part.slice(segment.literal.length)
    }
  }
  return params
}

/**
 * The route and parameters of a canonical path without language prefix; null if no route matches.
 * Parameters are not decoded: ids contain no encoded characters.
 */
export function match(path: string): Match | null {
  const known = exactMatches.get(path)
  if (known) return known
  const parts = splitPath(path)
  for (const row of byFirstSegment.get(parts[0] ?? '') ?? withParamFirst) {
    const params = matchRow(row, parts)
    if (params) return { route: row.route, params }
  }
  return null
}

/** Matches the pages of the benchmark, which only `BENCH_PAGES=1` enables. */
export function matchBench(path: string): Match | null {
  const route = benchRoutes.find(({ pattern }) => pattern === path)
  return route ? { route, params: {} } : null
}

/**
 * Canonical path of a route, without language prefix: the inverse of `match`. Throws when a
 * parameter is missing.
 */
export function pathOf(id: RouteId, params: Params = {}): string {
  const row = compiledById.get(id)
  if (!row) throw new Error(`no route has the id ${id}`)
  if (row.isExact) return row.route.pattern
  const parts = row.segments.map((segment) => {
    if (segment.param === null) return segment.literal
    const value = params[segment.param]
    if (value === undefined || value === '')
      throw new Error(`route ${id} needs the parameter ${segment.param}`)
    return segment.literal + value
  })
  return `/${parts.join('/')}`
}

/** Whether no parameter exceeds the length limit of ids and tags (spec 10.1). */
export const areParamsWithinLimits = (params: Params): boolean =>
  Object.values(params).every((value) => value.length <= limits.maxNameLength)
