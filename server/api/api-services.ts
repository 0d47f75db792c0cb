import type { UrlContext } from '../url/canonicalize'
import type { BaseInfoSource } from '../content/store/read-base-info'
import type { RateLimits } from './api-call'
import type { Keyring } from './keyring'
import type { Database } from '../db/database'
import type { Logger } from '../telemetry/logger'
import type { SearchService } from '../search/search-service'
import type { ContentStore } from '../content/store/store'
import type { Hosts } from '../url/hosts'
import type { Build } from '../build-info'
import type { Settings } from '../env'

/** What the calls of the embedded API work with. */
export type ApiServices = {
  settings: Settings
  build: Build
  hosts: Hosts
  store: ContentStore
  search: SearchService
  log: Logger
  database: Database
  keyring: Keyring
  limits: RateLimits
  baseInfo: BaseInfoSource
  urlContext: () => UrlContext
}
