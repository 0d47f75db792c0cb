import express, { type Express } from 'express'
import { pipeline } from './pipeline'
import type { Site } from './site'

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
    const handlers = [row.make(site)].flat() as express.RequestHandler[]
    if (row.at) app.use(row.at, ...handlers)
    else app.use(...handlers)
  }
  return app
}
