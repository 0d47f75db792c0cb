import type { IncomingMessage } from 'node:http'
import type { AnswerCache } from '../cache/answer-cache'
import type { PurgeRequest } from '../cache/purges'
import type { ContentStore } from '../content/store/store'
import type { Database } from '../db/database'
import type { Logger } from '../telemetry/logger'

/** An answer that is sent without the JSON envelope: a page or a file. */
export class PlainAnswer {
  constructor(
    readonly type: string,
    readonly body: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** What the operators' calls use; each factory takes only its part. */
export type OpsServices = {
  cache: AnswerCache
  database: Database
  log: Logger
  metricsText: () => Promise<string>
  purge: (request: PurgeRequest) => number
  store: ContentStore
}

/** Returns (or resolves to) the data of the JSON envelope, or a `PlainAnswer`. */
export type OpsHandler = (request: IncomingMessage) => unknown

/** One operators' call below `/_ops`. */
export type OpsCall = {
  method: 'GET' | 'POST'
  path: string
  /**
   * Also accepts basic authentication with the token as password, for people in a browser. Only for
   * calls that change nothing: browsers also send such credentials on requests that another site
   * started.
   */
  allowsBasicAuth?: true
  createHandler: (services: OpsServices) => OpsHandler
}
