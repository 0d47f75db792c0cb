import type { Database } from '../db/database'
import type { Metrics } from '../telemetry/metrics'
import type { Logger } from '../telemetry/logger'
import type { ImageService } from '../images/image-service'
import type { SearchService } from '../search/search-service'
import type { PurgeRequest } from '../cache/purges'
import type { SecondLevel } from '../cache/second-level'
import type { AnswerCache } from '../cache/answer-cache'
import type { ContentStore } from '../content/store/store'
import type { Hosts } from '../url/hosts'
import type { Build } from '../build-info'
import type { Settings } from '../env'

/** What the calls below `/_ops` and the metrics work with. */
export type OpsServices = {
  settings: Settings
  build: Build
  hosts: Hosts
  store: ContentStore
  cache: AnswerCache
  second: SecondLevel | null
  purge: (request: PurgeRequest) => number
  search: SearchService
  images: ImageService
  log: Logger
  metrics: Metrics
  metricsText: () => Promise<string>
  contentNode: () => string | null
  state: { ready: boolean; draining: boolean }
  database: Database
}
