import type { IncomingMessage } from 'node:http'
import type { PurgeRequest } from '../../shared/console/system'
import type { Build } from '../build-info'
import type { AnswerCache } from '../cache/answer-cache'
import type { ContentStore } from '../content/store/store'
import type { Database } from '../db/database'
import type { Settings } from '../env'
import type { Logger } from '../telemetry/logger'
import type { SearchService } from '../search/search-service'
import type { Hosts } from '../url/hosts'
import type { UrlContext } from '../url/url-context'

/** An answer that is sent without the JSON envelope: a page or a file. */
export class PlainAnswer {
  constructor(
    readonly type: string,
    /** Parts are sent as fast as the client reads them, so a file of any size takes no memory. */
    readonly body: string | AsyncIterable<string>,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** What the operators' calls use; each factory takes only its part. */
export type OpsServices = {
  settings: Settings
  build: Build
  hosts: Hosts
  cache: AnswerCache
  database: Database
  log: Logger
  metricsText: () => Promise<string>
  purge: (request: PurgeRequest) => number
  store: ContentStore
  search: SearchService
  urlContext: () => UrlContext
  contentNodeVersion: () => string | null
  /** Folders that authors write to. */
  sources: { content: string; locales: string }
}

/** Returns (or resolves to) the data of the JSON envelope, or a `PlainAnswer`. */
export type OpsHandler = (request: IncomingMessage) => unknown

/** One operators' call below `/_ops`. */
export type OpsCall = {
  method: 'GET' | 'POST'
  path: string
  /**
   * Also accepts a session of the console, and basic authentication with the token as password, for
   * people in a browser. Only for calls that change nothing: browsers also send such credentials on
   * requests that another site started.
   */
  isForBrowsers?: true
  createHandler: (services: OpsServices) => OpsHandler
}
