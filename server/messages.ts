import express, { type Express } from 'express'
import { IncomingMessage, ServerResponse } from 'node:http'

/** Requests and responses of one server, of which Express need not change the kind. */
export type Messages = { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse; /** Makes them those of an app, before its first request. */ belongTo: (app: Express) => void }

/**
 * Express gives each request and response that reaches it another prototype. In one process there are two kinds of each then, and V8 compiles
 * Node's code for both, also for the cached pages that Express never sees. So they are made as Express wants them. What it gains lies within the noise (decision 50).
 */
export function createMessages(): Messages {
  class SiteRequest extends IncomingMessage {}
  class SiteResponse extends ServerResponse {}
  Object.setPrototypeOf(SiteRequest.prototype, express.request)
  Object.setPrototypeOf(SiteResponse.prototype, express.response)
  return {
    IncomingMessage: SiteRequest,
    // Its constructor is the same; the type of the request, a parameter of Node's class, cannot be said of one that extends it.
    ServerResponse: SiteResponse as unknown as typeof ServerResponse,
    belongTo(app) {
      app.request = Object.assign(SiteRequest.prototype as unknown as Express['request'], { app })
      app.response = Object.assign(SiteResponse.prototype as unknown as Express['response'], { app })
    },
  }
}
