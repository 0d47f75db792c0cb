/**
 * The order of the middleware: one row each, with the reason for its place. `createApp` mounts the
 * rows in this order. Before all of them, `server/http/front.ts` answers cached pages without
 * Express.
 */
import compression from 'compression'
import cookieParser from 'cookie-parser'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { reservedPaths } from '../shared/reserved-paths'
import { api } from './middleware/api'
import { apiProxy } from './middleware/api-proxy'
import { application } from './middleware/application'
import { assets } from './middleware/assets'
import { builds } from './middleware/builds'
import { canonicalUrl } from './middleware/canonical-url'
import { errorHandler } from './middleware/error-handler'
import { feeds } from './middleware/feeds'
import { health } from './middleware/health'
import { images } from './middleware/images'
import { islands } from './middleware/islands'
import { operations } from './middleware/operations'
import { page } from './middleware/page'
import { payloads } from './middleware/payloads'
import { previews } from './middleware/previews'
import { publicFiles } from './middleware/public-files'
import { requestContext } from './middleware/request-context'
import { requestLimits } from './middleware/request-limits'
import { responseHeaders } from './middleware/response-headers'
import { sitemaps } from './middleware/sitemaps'
import { snippets } from './middleware/snippets'
import { socialPictures } from './middleware/social-pictures'
import type { Site } from './site'

export type PipelineRow = {
  name: string
  /** The reason for its place. */
  why: string
  /** Only for requests below this path. */
  at?: string
  make: (site: Site) => RequestHandler | RequestHandler[] | ErrorRequestHandler
}

export const pipeline: readonly PipelineRow[] = [
  {
    name: 'request context',
    why: "first: all later rows log under the request's id",
    make: requestContext,
  },
  {
    name: 'security headers',
    why: 'before any row can answer; errors need the headers too',
    make: responseHeaders,
  },
  {
    name: 'request limits',
    why: 'before any row acts on host, target or headers; only API and operations get other methods',
    make: requestLimits,
  },
  {
    name: 'health',
    why: 'before any expensive row: it must answer while everything else is busy or broken',
    make: health,
  },
  {
    name: 'compression',
    // Pages, payloads and islands store their compressed forms, so they opt out; redirects are too
    // short, and a range counts bytes of the uncompressed file.
    why: 'before the rows whose answers are not compressed yet',
    make: () =>
      compression({
        filter: (request, response) =>
          response.locals['skipCompression'] === undefined &&
          Math.floor(response.statusCode / 100) !== 3 &&
          response.statusCode !== 206 &&
          compression.filter(request, response),
      }),
  },
  {
    name: 'builds',
    why: 'machine files at fixed paths: URL rules do not apply to them',
    make: builds,
  },
  {
    name: 'assets',
    why: 'hashed files at fixed paths, before the rules that would lower-case their names',
    at: reservedPaths.assets.path,
    make: assets,
  },
  {
    name: 'cookies',
    why: 'before the first row that reads cookies, the API; after files that need none',
    make: () => cookieParser(),
  },
  {
    name: 'API proxy',
    // With API_UPSTREAM it answers all calls but the site's own.
    why: 'before the API, because it refuses paths that leave /api in any case',
    at: reservedPaths.api.path,
    make: apiProxy,
  },
  {
    name: 'API',
    why: 'JSON at fixed paths: never redirected, never a page',
    at: reservedPaths.api.path,
    make: api,
  },
  { name: 'snippets', why: 'like the API', at: reservedPaths.snippets.path, make: snippets },
  { name: 'operations', why: 'like the API', at: reservedPaths.operations.path, make: operations },
  { name: 'islands', why: 'like the API', at: reservedPaths.islands.path, make: islands },
  { name: 'images', why: 'like the API', at: reservedPaths.images.path, make: images },
  {
    name: 'sitemaps',
    why: 'machine files at fixed paths: URL rules do not apply to them',
    make: sitemaps,
  },
  {
    name: 'feeds',
    why: 'like sitemaps: robots.txt, llms.txt, key file, openapi.yaml, feeds, Markdown alternates',
    make: feeds,
  },
  {
    name: 'social pictures',
    why: 'like sitemaps: pictures at fixed paths',
    at: reservedPaths.socialPictures.path,
    make: socialPictures,
  },
  {
    name: 'previews',
    why: 'before URL rules: a signed link contains capital letters',
    at: reservedPaths.previews.path,
    make: previews,
  },
  {
    name: 'application',
    why: 'before URL rules: its pages have no route, so the rules would answer 404',
    make: application,
  },
  { name: 'public files', why: 'before URL rules, which do not apply to them', make: publicFiles },
  {
    name: 'payloads',
    why: 'before the canonical URL: a payload is never a page, and redirects of its page are JSON',
    make: payloads,
  },
  {
    name: 'canonical URL',
    why: 'the only redirect of pages; later rows see canonical pages only',
    make: canonicalUrl,
  },
  { name: 'page', why: 'answers every canonical URL, with 404 for unknown pages', make: page },
  {
    name: 'error handler',
    why: 'last: the only place that turns an error into an answer',
    make: errorHandler,
  },
]

/** The Express app: the rows of the pipeline in their order, and nothing else. */
export function createApp(site: Site): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  // Each row parses the query parameters that it declares.
  app.set('query parser', false)
  for (const { at, make } of pipeline) {
    if (at) app.use(at, make(site))
    else app.use(make(site))
  }
  return app
}
