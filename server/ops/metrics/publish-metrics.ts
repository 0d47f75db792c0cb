import { monitorEventLoopDelay } from 'node:perf_hooks'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { z } from 'zod'
import type { Settings } from '../../env'
import type { Logger } from '../../telemetry/logger'
import type { RecentError, RecentErrors } from '../../telemetry/recent-errors'
import { familySchema, gauge, type MetricFamily } from './metric-family'
import { collectSiteMetrics, type MetricSources } from './site-metrics'
import { openSnapshotFile, type OtherSnapshot, type SnapshotFile } from './snapshot-file'

export type PublishedMetrics = {
  /** The metrics of all processes of the machine, as Prometheus text. */
  text: () => Promise<string>
  stop: () => Promise<void>
}
type Services = MetricSources & {
  settings: Pick<Settings, 'DATA_DIR'>
  log: Logger
  recentErrors: Pick<RecentErrors, 'list'>
}

/** How often a process publishes its metrics; those of the other processes are at most this old. */
const publishIntervalMs = 5000
const delayResolutionMs = 20

/** Metrics of the Node process: CPU time, garbage collection, handles. */
function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const silenceMetric = (running: readonly OtherSnapshot[]): MetricFamily =>
  gauge(
    'site_process_silence_seconds',
    'Time since a process last published its metrics: a process that hangs publishes nothing',
    [{ pid: process.pid, ageMs: 0 }, ...running].map(({ pid, ageMs }) => ({
      value: ageMs / 1000,
      labels: { process: String(pid) },
    })),
  )

/** The snapshot file. Failures (a locked file, a full disk) are logged and leave older metrics. */
function openExchange(folder: string, log: Logger) {
  function attempt<T>(work: () => T, fallback: T): T {
    try {
      return work()
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be exchanged between processes')
      return fallback
    }
  }
  const none: ReturnType<SnapshotFile['readOthers']> = { running: [], ended: [] }
  const file = attempt(() => openSnapshotFile(folder), null)
  return {
    publish: (families: readonly MetricFamily[], failed: readonly RecentError[]) =>
      attempt(() => file?.publish(families, failed), undefined),
    readOthers: () => attempt(() => file?.readOthers(), undefined) ?? none,
    close: (families: readonly MetricFamily[]) => attempt(() => file?.close(families), undefined),
  }
}

/**
 * Publishes the metrics of this process every five seconds, and combines those of all processes on
 * request. Start it only when OPS_TOKEN is set: without it, nothing can read the metrics.
 */
export function publishMetrics(services: Services, connections: () => number): PublishedMetrics {
  const { log, settings, recentErrors } = services
  const exchange = openExchange(settings.DATA_DIR, log)
  const registry = createProcessRegistry()
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delay.enable()

  async function collect(): Promise<MetricFamily[]> {
    return [
      ...collectSiteMetrics(services, { connections: connections(), delay }),
      ...z.array(familySchema).parse(await registry.getMetricsAsJSON()),
    ]
  }
  async function publish(): Promise<void> {
    try {
      exchange.publish(await collect(), recentErrors.list())
      // Each snapshot reports the delay since the one before it.
      delay.reset()
    } catch (error) {
      log.warn({ err: error }, 'metrics could not be published')
    }
  }

  const timer = setInterval(() => void publish(), publishIntervalMs)
  timer.unref()
  // Publish at once, so that the process is visible from its start. Reading adds up the processes
  // that ended before, even if no request ever asks for metrics.
  void publish().then(exchange.readOthers)

  return {
    async text() {
      const { running, ended } = exchange.readOthers()
      return AggregatorRegistry.aggregate([
        await collect(),
        ended,
        ...running.map(({ families }) => families),
        [silenceMetric(running)],
      ]).metrics()
    },
    async stop() {
      clearInterval(timer)
      exchange.close(await collect())
      delay.disable()
    },
  }
}
