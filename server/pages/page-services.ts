import type { BaseInfoSource } from '../content/store/read-base-info'
import type { UrlContext } from '../url/canonicalize'
import type { Tracing } from '../telemetry/tracing'
import type { Metrics } from '../telemetry/metrics'
import type { Logger } from '../telemetry/logger'
import type { ViewModule } from '../../shared/view'
import type { ServeAnswer } from '../cache/serve-answer'
import type { SearchService } from '../search/search-service'
import type { AnswerCache } from '../cache/answer-cache'
import type { ContentStore } from '../content/store/store'
import type { Hosts } from '../url/hosts'
import type { Build } from '../build-info'
import type { Settings } from '../env'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { IslandName, IslandProps } from '../../shared/islands'

/** Data of an island, or a promise of it when it comes late; null if the props name nothing. Adds the surrogate tags of what it shows to `tags`. */
export type IslandLoader = (
  name: IslandName,
  props: IslandProps,
  locale: LocaleCode,
  tags: Set<string>,
) => unknown

/** What pages, payloads, islands and previews are made with. Functions of this room take the few of them that they use. */
export type PageServices = {
  settings: Settings
  build: Build
  hosts: Hosts
  store: ContentStore
  cache: AnswerCache
  search: SearchService
  /** Answers a request from the cache, or renders once and stores. */
  serve: ServeAnswer
  view: ViewModule
  log: Logger
  metrics: Metrics
  /** Null unless a trace collector is configured. */
  tracing: Tracing | null
  /** The snapshot that canonical URLs depend on. */
  urlContext: () => UrlContext
  /** Register and login links, titles, statistics snippets. */
  baseInfo: BaseInfoSource
  island: IslandLoader
}
