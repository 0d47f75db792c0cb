import { limits } from '../constants'
import { compiledRoutes, splitPath, type CompiledRoute, type Params } from './path-of'
import { benchRoutes, type Route } from './table'

export type Match = { route: Route; params: Params }

// Indexes, so that a match does not try all routes: exact paths, routes by their literal first
// segment, and routes whose first segment has a parameter. Of these the longer literal comes first:
// `/blog-{category}` before `/{html}`.
const exactMatches: ReadonlyMap<string, Match> = new Map(
  compiledRoutes
    .filter(({ isExact }) => isExact)
    .map(({ route }) => [route.pattern, { route, params: {} }]),
)
const byFirstSegment = new Map<string, CompiledRoute[]>()
const withParamFirst: CompiledRoute[] = []
for (const row of compiledRoutes.filter(({ isExact }) => !isExact)) {
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

/** Whether no parameter exceeds the length limit of ids and tags (spec 10.1). */
export const areParamsWithinLimits = (params: Params): boolean =>
  Object.values(params).every((value) => value.length <= limits.maxNameLength)
