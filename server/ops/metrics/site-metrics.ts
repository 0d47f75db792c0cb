import type { ELDHistogram } from 'node:perf_hooks'
import type { Build } from '../../build-info'
import type { AnswerCache } from '../../cache/answer-cache'
import { zeroCounts, type SecondLevel } from '../../cache/second-level'
import type { ContentStore } from '../../content/store/store'
import type { Database } from '../../db/database'
import type { ImageService } from '../../images/image-service'
import type { SearchService } from '../../search/search-service'
import type { Metrics } from '../../telemetry/metrics'
import { supportEndTime } from '../../telemetry/node-release'
import { counter, gauge, histogram, type MetricFamily, type Sample } from './metric-family'

/** The services whose state is published as metrics. */
export type MetricSources = {
  metrics: Metrics
  cache: AnswerCache
  secondLevel: SecondLevel | null
  images: Pick<ImageService, 'pendingCount'>
  search: Pick<SearchService, 'pendingCount'>
  database: Pick<Database, 'queueLength'>
  build: Pick<Build, 'id'>
  store: Pick<ContentStore, 'generation'>
  state: { ready: boolean; draining: boolean }
  /** Version of Node of the content process; null if another process runs it. */
  contentNodeVersion: () => string | null
}

/** Measurements of this process at this moment. */
type ProcessFacts = { connections: number; delay: ELDHistogram }

/** A sample that is added up over all processes. */
const total = (value: number, labels: Sample['labels'] = {}): Sample => ({ value, labels })
/** A sample that keeps the id of this process as a label. */
const ofProcess = (value: number, labels: Record<string, string> = {}): Sample => ({
  value,
  labels: { process: String(process.pid), ...labels },
})

/** Converts nanoseconds to seconds. A histogram without samples reports NaN. */
const toSeconds = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0

function requestMetrics(metrics: Metrics): MetricFamily[] {
  const { requests, durations, errors } = metrics.read()
  return [
    counter(
      'site_requests_total',
      'Finished requests by route, language, cache and status (499: the client closed the connection)',
      requests.map(({ count, ...labels }) => total(count, labels)),
    ),
    histogram(
      'site_request_duration_seconds',
      'Time from the request to the end of the answer, by cache',
      'cache',
      durations,
    ),
    histogram(
      'site_load_duration_seconds',
      'Time to load the data of a page',
      'kind',
      metrics.loads.list(),
    ),
    histogram(
      'site_render_duration_seconds',
      'Time to render a page',
      'kind',
      metrics.renders.list(),
    ),
    histogram(
      'site_upstream_duration_seconds',
      'Time to the first byte of the backend, by outcome',
      'outcome',
      metrics.upstream.list(),
    ),
    counter(
      'site_refused_total',
      'Requests that were refused or failed, by name in the error catalogue',
      errors.map(([reason, value]) => total(value, { reason })),
    ),
  ]
}

function cacheMetrics({
  cache,
  secondLevel,
}: Pick<MetricSources, 'cache' | 'secondLevel'>): MetricFamily[] {
  const stats = cache.stats()
  const { small } = stats
  const byStore = (pages: number, smallAnswers: number): Sample[] => [
    ofProcess(pages, { store: 'pages' }),
    ofProcess(smallAnswers, { store: 'small' }),
  ]
  return [
    counter('site_cache_hits_total', 'Answers from the page cache', [total(stats.hits)]),
    counter('site_cache_misses_total', 'Answers that were not in the page cache', [
      total(stats.misses),
    ]),
    counter('site_cache_stored_total', 'Answers that were stored', [total(stats.stored)]),
    counter(
      'site_shared_cache_total',
      'Lookups in the shared cache (Redis) by outcome, and answers stored there',
      Object.entries(secondLevel?.counts() ?? zeroCounts).map(([outcome, value]) =>
        total(value, { outcome }),
      ),
    ),
    gauge('site_cache_bytes', 'Bytes of stored answers', byStore(stats.bytes, small.bytes)),
    gauge(
      'site_cache_max_bytes',
      'Limit of site_cache_bytes',
      byStore(stats.maxBytes, small.maxBytes),
    ),
    gauge('site_cache_entries', 'Stored answers', byStore(stats.entries, small.entries)),
  ]
}

function loadMetrics(
  { images, search, database }: Pick<MetricSources, 'images' | 'search' | 'database'>,
  { connections, delay }: ProcessFacts,
): MetricFamily[] {
  const memory = process.memoryUsage()
  return [
    gauge(
      'site_queue_length',
      'Jobs that wait or run: image encodes, searches, database statements',
      [
        ofProcess(images.pendingCount(), { queue: 'images' }),
        ofProcess(search.pendingCount(), { queue: 'search' }),
        ofProcess(database.queueLength(), { queue: 'store' }),
      ],
    ),
    gauge('site_connections', 'Open connections', [ofProcess(connections)]),
    gauge('site_event_loop_delay_seconds', 'Event loop delay in the last 5 s', [
      ofProcess(toSeconds(delay.percentile(50)), { quantile: '0.5' }),
      ofProcess(toSeconds(delay.percentile(99)), { quantile: '0.99' }),
      ofProcess(toSeconds(delay.max), { quantile: '1' }),
    ]),
    gauge('site_process_memory_bytes', 'Memory of a process', [
      ofProcess(memory.rss, { kind: 'rss' }),
      ofProcess(memory.heapUsed, { kind: 'heap' }),
      ofProcess(memory.external, { kind: 'external' }),
    ]),
  ]
}

function stateMetrics({ state, store }: Pick<MetricSources, 'state' | 'store'>): MetricFamily[] {
  return [
    counter(
      'site_process_starts_total',
      'Processes that were started, including those that have ended',
      [total(1)],
    ),
    gauge('site_process_uptime_seconds', 'Time since the process started', [
      ofProcess(process.uptime()),
    ]),
    gauge('site_ready', 'Whether the process can serve requests', [
      ofProcess(Number(state.ready && !state.draining)),
    ]),
    gauge(
      'site_content_generation',
      'Version of the compiled content',
      [total(store.generation())],
      'max',
    ),
  ]
}

function versionMetrics({
  build,
  contentNodeVersion,
}: Pick<MetricSources, 'build' | 'contentNodeVersion'>): MetricFamily[] {
  const serverNode = process.version
  const contentNode = contentNodeVersion()
  return [
    gauge(
      'site_node_info',
      'Version of Node of a process; role content: the content process that this process started',
      [
        ofProcess(1, { role: 'server', version: serverNode }),
        ...(contentNode ? [ofProcess(1, { role: 'content', version: contentNode })] : []),
      ],
    ),
    gauge(
      'site_node_support_end_seconds',
      'End of support for the running version of Node (seconds since 1970; 0: an unsupported version)',
      [total((supportEndTime(serverNode) ?? 0) / 1000)],
      'min',
    ),
    gauge('site_build_info', 'The running build; the value is the number of processes', [
      total(1, { build: build.id }),
    ]),
  ]
}

/** The site's own metrics of this process, with the names in docs/operations.md. */
export const collectSiteMetrics = (
  sources: MetricSources,
  process: ProcessFacts,
): MetricFamily[] => [
  ...requestMetrics(sources.metrics),
  ...cacheMetrics(sources),
  ...loadMetrics(sources, process),
  ...stateMetrics(sources),
  ...versionMetrics(sources),
]
