import type { OpsServices } from '../ops-services'
import type { ELDHistogram } from 'node:perf_hooks'
import { z } from 'zod'
import { noCounts } from '../../cache/second-level'
import { timeBounds, type Histogram } from '../../telemetry/histogram'
import { supportEndOf } from '../../telemetry/node-release'

/** A family of samples in the form in which prom-client hands them on between processes. `aggregator`: how those of several processes become one. */
export const family = z.object({
  name: z.string(),
  help: z.string(),
  type: z.enum(['counter', 'gauge', 'histogram', 'summary']),
  aggregator: z.enum(['sum', 'first', 'min', 'max', 'average', 'omit']),
  // A mean of nothing is no number: Node's own measures say so right after they were read.
  values: z.array(
    z.object({
      value: z
        .number()
        .or(z.nan())
        .transform((value) => (Number.isFinite(value) ? value : 0)),
      labels: z.record(z.string(), z.union([z.string(), z.number()])),
      metricName: z.string().optional(),
    }),
  ),
})
export type Family = z.infer<typeof family>
type Sample = Family['values'][number]

const counter = (name: string, help: string, values: Sample[]): Family => ({
  name,
  help,
  type: 'counter',
  aggregator: 'sum',
  values,
})
const gauge = (name: string, help: string, values: Sample[]): Family => ({
  name,
  help,
  type: 'gauge',
  aggregator: 'sum',
  values,
})

function histogram(
  name: string,
  help: string,
  label: string,
  list: ReadonlyArray<{ value: string; histogram: Histogram }>,
): Family {
  const values = list.flatMap(({ value, histogram: times }): Sample[] => {
    const { counts, sum } = times.read()
    let below = 0
    const labels = { [label]: value }
    const buckets = counts.map((count, index): Sample => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: timeBounds[index] ?? '+Inf' },
      value: (below += count),
    }))
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: below },
    ]
  })
  return { name, help, type: 'histogram', aggregator: 'sum', values }
}

/** What only the process knows that is asked. */
export type Facts = { connections: number; delay: ELDHistogram }

/** Nanoseconds to seconds; a histogram that has seen nothing yet says NaN. */
const seconds = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0

/** All that the site itself counts and measures, with the names of `/_ops/metrics` (docs/operations.md). What is labelled `process` is one process's. */
export function siteFamilies(
  {
    metrics,
    cache,
    second,
    images,
    search,
    database,
    build,
    store,
    state,
    contentNode,
  }: Pick<
    OpsServices,
    | 'metrics'
    | 'cache'
    | 'second'
    | 'images'
    | 'search'
    | 'database'
    | 'build'
    | 'store'
    | 'state'
    | 'contentNode'
  >,
  { connections, delay }: Facts,
): Family[] {
  const { requests, durations, refusals } = metrics.read()
  const stored = cache.stats()
  const process = String(globalThis.process.pid)
  const memory = globalThis.process.memoryUsage()
  const node = globalThis.process.version
  const content = contentNode()
  const alone = (value: number): Sample[] => [{ value, labels: {} }]
  const own = (value: number, labels: Record<string, string> = {}): Sample => ({
    value,
    labels: { process, ...labels },
  })
  return [
    counter(
      'site_requests_total',
      'Finished requests by route, language, cache and status (499: the client had gone)',
      requests.map(({ count, ...labels }) => ({ value: count, labels })),
    ),
    histogram(
      'site_request_duration_seconds',
      'Time from a request to the end of its answer, by cache',
      'cache',
      durations,
    ),
    histogram(
      'site_load_duration_seconds',
      'Time to load what a page shows',
      'kind',
      metrics.loads.list(),
    ),
    histogram('site_render_duration_seconds', 'Time to render it', 'kind', metrics.renders.list()),
    histogram(
      'site_upstream_duration_seconds',
      'Time to the first byte of the backend, by outcome',
      'outcome',
      metrics.upstream.list(),
    ),
    counter(
      'site_refused_total',
      'Requests that were refused or failed, by name in the catalogue of errors',
      refusals.map(([reason, value]) => ({ value, labels: { reason } })),
    ),
    counter('site_cache_hits_total', 'Answers from the page cache', alone(stored.hits)),
    counter(
      'site_cache_misses_total',
      'Answers that the page cache did not have',
      alone(stored.misses),
    ),
    counter('site_cache_stored_total', 'Answers that were stored', alone(stored.stored)),
    counter(
      'site_shared_cache_total',
      'Answers looked for in Redis, by outcome, and stored there',
      Object.entries(second?.counts() ?? noCounts).map(([outcome, value]) => ({
        value,
        labels: { outcome },
      })),
    ),
    gauge('site_cache_bytes', 'Bytes of stored answers', [
      own(stored.bytes, { store: 'pages' }),
      own(stored.small.bytes, { store: 'small' }),
    ]),
    gauge('site_cache_max_bytes', 'Their bound', [
      own(stored.maxBytes, { store: 'pages' }),
      own(stored.small.maxBytes, { store: 'small' }),
    ]),
    gauge('site_cache_entries', 'Stored answers', [
      own(stored.entries, { store: 'pages' }),
      own(stored.small.entries, { store: 'small' }),
    ]),
    gauge(
      'site_queue_length',
      'Jobs that wait or run: pictures, searches, statements of the store',
      [
        own(images.waiting(), { queue: 'images' }),
        own(search.waiting(), { queue: 'search' }),
        own(database.waiting(), { queue: 'store' }),
      ],
    ),
    gauge('site_connections', 'Open connections', [own(connections)]),
    gauge('site_event_loop_delay_seconds', 'How late the event loop was since the last look', [
      own(seconds(delay.percentile(50)), { quantile: '0.5' }),
      own(seconds(delay.percentile(99)), { quantile: '0.99' }),
      own(seconds(delay.max), { quantile: '1' }),
    ]),
    gauge('site_process_memory_bytes', 'Memory of a process', [
      own(memory.rss, { kind: 'rss' }),
      own(memory.heapUsed, { kind: 'heap' }),
      own(memory.external, { kind: 'external' }),
    ]),
    counter(
      'site_process_starts_total',
      'Processes that were started, those that have ended included',
      alone(1),
    ),
    gauge('site_process_uptime_seconds', 'How long a process has been running', [
      own(globalThis.process.uptime()),
    ]),
    gauge('site_ready', 'Whether a process can serve', [
      own(Number(state.ready && !state.draining)),
    ]),
    {
      ...gauge(
        'site_content_generation',
        'State of the compiled content',
        alone(store.generation()),
      ),
      aggregator: 'max',
    },
    gauge(
      'site_node_info',
      'Version of Node that runs a process; role content: the content process that this process started',
      [
        own(1, { role: 'server', version: node }),
        ...(content ? [own(1, { role: 'content', version: content })] : []),
      ],
    ),
    {
      ...gauge(
        'site_node_support_end_seconds',
        'When support ends for the version of Node in use (seconds since 1970; 0: a version that the site is not made for)',
        alone((supportEndOf(node) ?? 0) / 1000),
      ),
      aggregator: 'min',
    },
    {
      ...gauge('site_build_info', 'The build that runs; the value counts processes', [
        { value: 1, labels: { build: build.id } },
      ]),
    },
  ]
}
