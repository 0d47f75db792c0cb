/**
 * THE ORDER: one row a middleware, each with the reason for its place. `createApp` mounts them in this order.
 * In front of all stands `server/http/front.ts`, which answers cached pages before Express sees them.
 */
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import compression from 'compression'
import { api } from './middleware/api'
import { apiProxy } from './middleware/api-proxy'
import { application } from './middleware/application'
import { assets, publicFiles } from './middleware/static-files'
import { builds } from './middleware/builds'
import { canonicalUrl } from './middleware/canonical-url'
import { failures } from './middleware/failures'
import { health } from './middleware/health'
import { images } from './middleware/images'
import { islands } from './middleware/islands'
import { feeds } from './middleware/feeds'
import { operations } from './middleware/operations'
import { page } from './middleware/page'
import { payloads } from './middleware/payloads'
import { previews } from './middleware/previews'
import { requestContext } from './middleware/request-context'
import { requestLimits } from './middleware/request-limits'
import { responseHeaders } from './middleware/response-headers'
import { sitemaps } from './middleware/sitemaps'
import { snippets } from './middleware/snippets'
import { socialPictures } from './middleware/social-pictures'
import { snippetsPath } from './pages/render/statistics-scripts'
import type { Site } from './site'

export type PipelineRow = {
  name: string
  /** Why it stands where it stands. */
  why: string
  /** Only below this path. */
  at?: string
  make: (site: Site) => RequestHandler | RequestHandler[] | ErrorRequestHandler
}

export const pipeline: readonly PipelineRow[] = [
  {
    name: 'request context',
    why: "first: everything after it can log under the request's id",
    make: requestContext,
  },
  {
    name: 'security headers',
    why: 'before anything can answer, refusals included',
    make: responseHeaders,
  },
  {
    name: 'request limits',
    why: 'before any row reads host, target or headers; after it, only the API and operations see other methods than GET and HEAD',
    make: requestLimits,
  },
  {
    name: 'health',
    why: 'before all work: must answer while everything else is busy or broken',
    make: health,
  },
  {
    name: 'compression',
    why: 'before the rows whose answers are not compressed already; pages, payloads and islands are, and say so; redirects are too short',
    make: () =>
      compression({
        filter: (request, response) =>
          response.locals['answer'] === undefined &&
          Math.floor(response.statusCode / 100) !== 3 &&
          compression.filter(request, response),
      }),
  },
  {
    name: 'builds',
    why: 'machine files by fixed path: URL rules do not apply to them',
    make: builds,
  },
  {
    name: 'assets',
    why: 'hashed files by fixed path, before the rules that would lower-case their names',
    at: '/assets',
    make: assets,
  },
  {
    name: 'API proxy',
    why: "before the API: with API_UPSTREAM it answers all but the site's own calls; in any case it refuses addresses that lead out of /api",
    at: '/api',
    make: apiProxy,
  },
  { name: 'API', why: 'JSON by fixed path: never redirected, never a page', at: '/api', make: api },
  { name: 'snippets', why: 'as the API', at: snippetsPath, make: snippets },
  { name: 'operations', why: 'as the API', at: '/_ops', make: operations },
  { name: 'islands', why: 'as the API', at: '/__nuxt_island', make: islands },
  { name: 'images', why: 'as the API', at: '/_image', make: images },
  {
    name: 'sitemaps',
    why: 'machine files by fixed path: URL rules do not apply to them',
    make: sitemaps,
  },
  {
    name: 'machine texts',
    why: 'as sitemaps: robots.txt, llms.txt, feeds, Markdown twins',
    make: feeds,
  },
  {
    name: 'social pictures',
    why: 'as sitemaps: pictures by fixed path',
    at: '/_og',
    make: socialPictures,
  },
  {
    name: 'previews',
    why: 'before URL rules: a signed link has capitals of its own',
    at: '/_preview',
    make: previews,
  },
  {
    name: 'application',
    why: 'a page that no route has, so before the rules that would call it unknown; it takes GET and HEAD',
    make: application,
  },
  { name: 'public files', why: 'before URL rules, which do not apply to them', make: publicFiles },
  {
    name: 'payloads',
    why: "before the canonical URL: no payload is ever a page, and their pages' redirects are JSON",
    make: payloads,
  },
  {
    name: 'canonical URL',
    why: 'the one redirect; whatever comes after it sees canonical pages only',
    make: canonicalUrl,
  },
  { name: 'page', why: 'answers every canonical URL, with 404 where nothing is', make: page },
  { name: 'failures', why: 'last: the one place where an error becomes an answer', make: failures },
]

/** The Express app: the rows of the pipeline in their order, and none of its own. */
export function createApp(site: Site): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  // Queries are read where they are declared; nothing else parses them.
  app.set('query parser', false)
  for (const row of pipeline) {
    const handlers = [row.make(site)].flat() as RequestHandler[]
    if (row.at) app.use(row.at, ...handlers)
    else app.use(...handlers)
  }
  return app
}
