/** What is served below a reserved path. */
type ReservedPath = {
  path: `/${string}`
  /** Programs get failures as JSON; elsewhere a failure is a page (spec 10.1). */
  failures: 'json' | 'page'
  /** Methods, as in the header `Allow`. */
  methods: 'GET, HEAD' | 'GET, HEAD, POST'
  /** `robots.txt` excludes it. */
  disallowed?: true
}

const read = { failures: 'page', methods: 'GET, HEAD' } as const
const readJson = { failures: 'json', methods: 'GET, HEAD' } as const
const call = { failures: 'json', methods: 'GET, HEAD, POST' } as const

/**
 * Paths that no route and no page can have (spec 3.12): URL rules do not apply to them, and the
 * client's router leaves links to them to the browser.
 */
export const reservedPaths = {
  api: { path: '/api', ...call, disallowed: true },
  operations: { path: '/_ops', ...call, disallowed: true },
  previews: { path: '/_preview', ...read, disallowed: true },
  builds: { path: '/builds', ...readJson },
  images: { path: '/_image', ...readJson },
  islands: { path: '/__nuxt_island', ...readJson },
  assets: { path: '/assets', ...read },
  /** Files of releases. */
  downloads: { path: '/downloads', ...read },
  snippets: { path: '/_snippets', ...read },
  socialPictures: { path: '/_og', ...read },
  /** The embedded application; with `API_UPSTREAM`, the operator's. */
  application: { path: '/app', ...read },
  liveness: { path: '/healthz', ...read },
  readiness: { path: '/readyz', ...read },
} as const satisfies Record<string, ReservedPath>

const bySegment: ReadonlyMap<string, ReservedPath> = new Map(
  Object.values(reservedPaths).map((reserved) => [reserved.path.slice(1), reserved]),
)

/** The reserved path that a path is at or below; null for pages and files. */
export function reservedPathOf(path: string): ReservedPath | null {
  const end = path.indexOf('/', 1)
  return bySegment.get(end < 0 ? path.slice(1) : path.slice(1, end)) ?? null
}
