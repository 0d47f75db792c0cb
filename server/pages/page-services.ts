import type { LocaleCode } from '../../shared/i18n/locales'
import type { IslandName, IslandProps } from '../../shared/islands'
import type { System } from '../../shared/front-matter'
import type { Card, ListedFile } from '../../shared/page-data'
import type { ViewModule } from '../../shared/view'
import type { Build } from '../build-info'
import type { AnswerCache } from '../cache/answer-cache'
import type { CountMiss, ServeAnswer } from '../cache/answer-source'
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

/** Pages that words may have meant: at once where they are known or the search is busy. */
export type SimilarPages = (
  words: string,
  locale: LocaleCode,
) => readonly Card[] | Promise<readonly Card[]>

/** A file as the content or the backend describes it; `size` in bytes. */
export type ReleaseFile = Omit<ListedFile, 'size'> & { size?: number }

/**
 * The newest file of each system as the operator's backend names it. Null: it has none for that
 * system. Absent: it did not say.
 */
export type BackendFiles = ReadonlyMap<System, ReleaseFile | null>

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
  countMiss: CountMiss
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
