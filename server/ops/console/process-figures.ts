import type { ProcessRow } from '../../../shared/console/system'
import type { Sample } from '../metrics/metric-family'
import type { ProcessSnapshot } from '../metrics/read-snapshots'
import { nodesOf } from '../metrics/running-nodes'

/** The sum of those samples of a metric that pass; gauges of a process have one for each store. */
function sumOf(
  { families }: ProcessSnapshot,
  metric: string,
  passes: (labels: Sample['labels']) => boolean = () => true,
): number {
  const samples = families.find(({ name }) => name === metric)?.values ?? []
  return samples
    .filter(({ labels }) => passes(labels))
    .reduce((total, { value }) => total + value, 0)
}

/** The figures of a server as it published them last. */
const figuresOf = (snapshot: ProcessSnapshot): NonNullable<ProcessRow['figures']> => ({
  upSeconds: sumOf(snapshot, 'site_process_uptime_seconds'),
  memoryBytes: sumOf(snapshot, 'site_process_memory_bytes', ({ kind }) => kind === 'rss'),
  cacheEntries: sumOf(snapshot, 'site_cache_entries', ({ store }) => store === 'pages'),
  cacheBytes: sumOf(snapshot, 'site_cache_bytes', ({ store }) => store === 'pages'),
  cacheMaxBytes: sumOf(snapshot, 'site_cache_max_bytes', ({ store }) => store === 'pages'),
  hits: sumOf(snapshot, 'site_cache_hits_total'),
  misses: sumOf(snapshot, 'site_cache_misses_total'),
  waiting: sumOf(snapshot, 'site_queue_length'),
  failed: sumOf(snapshot, 'site_requests_total', ({ status }) => Number(status) >= 500),
})

/** The processes of this machine. A content process publishes nothing; its server names it. */
export const processRows = (snapshots: readonly ProcessSnapshot[]): ProcessRow[] =>
  snapshots.flatMap((snapshot) =>
    nodesOf(snapshot).map((node) => ({
      ...node,
      figures: node.role === 'server' ? figuresOf(snapshot) : null,
    })),
  )

const maxFailed = 100
/** The last failed requests of all processes, newest first. */
export const failedRequests = (snapshots: readonly ProcessSnapshot[]) =>
  snapshots
    .flatMap(({ pid, failed }) => failed.map((error) => ({ process: String(pid), ...error })))
    .sort((one, two) => two.at - one.at)
    .slice(0, maxFailed)
