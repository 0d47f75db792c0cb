import type { LocaleCode } from '../../shared/i18n/locales'
import type { IslandName, IslandProps } from '../../shared/islands'
import type { ViewModule } from '../../shared/view'
import type { Build } from '../build-info'
import type { AnswerCache } from '../cache/answer-cache'
import type { ServeAnswer } from '../cache/serve-answer'
import type { BaseInfoSource } from '../content/store/read-base-info'
import type { ContentStore } from '../content/store/store'
import type { Settings } from '../env'
import type { SearchService } from '../search/search-service'
import type { Logger } from '../telemetry/logger'
import type { Metrics } from '../telemetry/metrics'
import type { Tracing } from '../telemetry/tracing'
import type { Hosts } from '../url/hosts'
import type { UrlContext } from '../url/url-context'

/**
 * Data of an island, or a promise of it; null where the props name nothing. Adds the surrogate tags
 * of what the island shows to `tags`.
 */
export type IslandLoader = (
  name: IslandName,
  props: IslandProps,
  locale: LocaleCode,
  tags: Set<string>,
) => unknown

/** Services for pages, payloads, islands and previews. Functions pick the few that they use. */
export type PageServices = {
  settings: Settings
  build: Build
  hosts: Hosts
  store: ContentStore
  cache: AnswerCache
  search: SearchService
  /** Serves an answer from the cache, or produces and stores it. */
  serveAnswer: ServeAnswer
  view: ViewModule
  log: Logger
  metrics: Metrics
  /** Null without a trace collector. */
  tracing: Tracing | null
  /** Current snapshot of what URL rules depend on. */
  urlContext: () => UrlContext
  /** Register and login links, titles, statistics snippets. */
  baseInfo: BaseInfoSource
  loadIsland: IslandLoader
}
