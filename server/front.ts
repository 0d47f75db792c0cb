import type { RequestListener } from 'node:http'
import type { Site } from './site'

/**
 * The listener of the HTTP server. Everything goes on to the Express app; answering cached pages right here, before
 * any middleware, is what this place is for (see docs/request-flow.md). It may know nothing that the pipeline does not.
 */
export function createFront(_site: Site, app: RequestListener): RequestListener {
  return app
}
