import { benchRoutes, routes, type Route, type RouteId } from './table'

export type Params = Readonly<Record<string, string>>

type Segment = { literal: string; param: string | null }
/** `isExact`: it has no parameters, so its pattern is its path. */
export type CompiledRoute = { route: Route; segments: readonly Segment[]; isExact: boolean }

/** A segment is a literal, or a literal (it may be empty) and a parameter: `blog-{category}`. */
function compileSegment(source: string): Segment {
  const open = source.indexOf('{')
  if (open < 0) return { literal: source, param: null }
  if (!source.endsWith('}') || source.indexOf('{', open + 1) >= 0)
    throw new Error(`route segment ${source}: a parameter must be its end`)
  return { literal: source.slice(0, open), param: source.slice(open + 1, -1) }
}

export const splitPath = (path: string): string[] => path.slice(1).split('/')
function compile(route: Route): CompiledRoute {
  const segments = splitPath(route.pattern).map(compileSegment)
  return { route, segments, isExact: segments.every(({ param }) => param === null) }
}
/** The routes of visitors, in the order of the table. */
export const compiledRoutes: readonly CompiledRoute[] = routes.map(compile)
const compiledById = new Map(
  [...compiledRoutes, ...benchRoutes.map(compile)].map((row) => [row.route.id, row]),
)

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
