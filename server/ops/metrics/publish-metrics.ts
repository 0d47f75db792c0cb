import type { OpsServices } from '../ops-services'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { z } from 'zod'
import { family, siteFamilies, type Family } from './metric-families'
import { openSnapshotFile, type SnapshotFile } from './snapshot-file'

export type PublishedMetrics = {
  /** Of all processes of the machine together, in the text format of Prometheus. */ text: () => Promise<string>
  stop: () => Promise<void>
}

/** How often a process leaves its counts for the others, so how old theirs may be (ms). */
const publishEvery = 5000
/** How often the event loop is looked at (ms). */
const resolution = 20

/** Of the process as such: time of the processor, garbage, handles. */
function processRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

function open(site: OpsServices): SnapshotFile | null {
  try {
    return openSnapshotFile(site.settings.DATA_DIR)
  } catch (error) {
    site.log.warn({ err: error }, 'metrics.db cannot be used; each process tells of itself alone')
    return null
  }
}

/**
 * Publishes this process's counts every five seconds, and puts together those of all when somebody asks. Only where operators have a token: otherwise
 * nobody can ask, and nothing of this runs.
 */
export function publishMetrics(site: OpsServices, connections: () => number): PublishedMetrics {
  const file = open(site)
  const registry = processRegistry()
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()

  async function own(): Promise<Family[]> {
    return [
      ...siteFamilies(site, { connections: connections(), delay }),
      ...z.array(family).parse(await registry.getMetricsAsJSON()),
    ]
  }
  /** A busy or full file costs the others a look at older counts, nothing else. */
  function attempt<T>(work: () => T, otherwise: T): T {
    try {
      return work()
    } catch (error) {
      site.log.warn({ err: error }, 'metrics of the processes could not be exchanged')
      return otherwise
    }
  }
  async function publish(): Promise<void> {
    const families = await own()
    attempt(() => file?.publish(families), undefined)
    // The longest delay is one of the last seconds, not of all time.
    delay.reset()
  }
  const ages = (running: ReadonlyArray<{ pid: number; age: number }>): Family => ({
    name: 'site_process_silence_seconds',
    help: 'How long ago a process last told of itself: a process that hangs is silent',
    type: 'gauge',
    aggregator: 'sum',
    values: [{ pid: process.pid, age: 0 }, ...running].map(({ pid, age }) => ({
      value: age / 1000,
      labels: { process: String(pid) },
    })),
  })

  const timer = setInterval(
    () =>
      void publish().catch((error: unknown) =>
        site.log.warn({ err: error }, 'metrics could not be published'),
      ),
    publishEvery,
  )
  timer.unref()
  // At once, so that a process is seen from its start, and what has ended before is added up though nobody asks.
  void publish()
    .then(() => attempt(() => file?.others(), undefined))
    .catch((error: unknown) => site.log.warn({ err: error }, 'metrics could not be published'))

  return {
    async text() {
      const { running, ended } = attempt(() => file?.others(), undefined) ?? {
        running: [],
        ended: [],
      }
      return AggregatorRegistry.aggregate([
        await own(),
        ended,
        ...running.map(({ families }) => families),
        [ages(running)],
      ]).metrics()
    },
    async stop() {
      clearInterval(timer)
      const families = await own()
      attempt(() => file?.close(families), undefined)
      delay.disable()
    },
  }
}
