import type { LocaleCode } from '../shared/i18n/locales'
import type { IslandName, IslandProps } from '../shared/islands'
import type { ViewModule } from '../shared/view'
import type { RateLimits } from './api/api-call'
import type { Build } from './build-info'
import type { Keyring } from './api/keyring'
import type { AnswerCache } from './cache/answer-cache'
import type { PurgeRequest } from './cache/purges'
import type { SecondLevel } from './cache/second-level'
import type { ServeAnswer } from './cache/serve-answer'
import type { ContentStore } from './content/store/store'
import type { Database } from './db/database'
import type { Settings } from './env'
import type { ImageService } from './images/image-service'
import type { Logger } from './telemetry/logger'
import type { Metrics } from './telemetry/metrics'
import type { SearchService } from './search/search-service'
import type { Tracing } from './telemetry/tracing'
import type { BaseInfoKeeper } from './api/upstream/base-info'
import type { Upstream } from './api/upstream/exchange'
import type { Hosts } from './url/hosts'
import type { UrlContext } from './url/canonicalize'

/** What the rows of the pipeline work with: made once at start, handed to each factory. */
export type Site = {
  settings: Settings
  build: Build
  hosts: Hosts
  store: ContentStore
  cache: AnswerCache
  /** What the machines share of it through Redis; null where it is this machine's own. */
  second: SecondLevel | null
  /** Purges here, in the other processes of this machine and, with Redis, of all others; answers how many entries of this one. */
  purge: (request: PurgeRequest) => number
  search: SearchService
  /** The one way in which pages, payloads and islands are answered: stored, shared, made once. */
  serve: ServeAnswer
  view: ViewModule
  images: ImageService
  log: Logger
  /** What this process counts, and the text of all processes of the machine for whoever bears the operators' token. */
  metrics: Metrics
  metricsText: () => Promise<string>
  /** Version of Node of the content process; null while this process does not run it. */
  contentNode: () => string | null
  /** Null where no collector of traces is named. */
  tracing: Tracing | null
  /** Snapshot of what canonical URLs depend on; replaced when content changes. */
  urlContext: () => UrlContext
  /** Ready to serve; from the start of a shutdown no longer. */
  state: { ready: boolean; draining: boolean }
  /** Folders that are served as they are. */
  folders: { public: string; assets: string }
  /** The site's own store, and the keys in it that open envelopes. */
  database: Database
  keyring: Keyring
  /** Counts API calls by address over all processes (decisions 10). */
  limits: RateLimits
  /** The operator's backend; null = the embedded API answers. */
  upstream: Upstream | null
  /** Links of register and login, titles, statistics snippets: at once, whoever answers the API. */
  baseInfo: BaseInfoKeeper
  /** What an island shows, or a promise of it when it comes late; null where its props name nothing. `tags` receives what it shows. */
  island: IslandLoader
}

export type IslandLoader = (
  name: IslandName,
  props: IslandProps,
  locale: LocaleCode,
  tags: Set<string>,
) => unknown
