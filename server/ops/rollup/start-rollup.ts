import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database'
import { addContexts, type VisitorContext } from '../../db/event-contexts'
import {
  readCountCursor,
  readVisitorSteps,
  storeIncrements,
  type CountCursor,
} from '../../db/event-counts'
import { readEventBatch } from '../../db/event-batches'
import { createLease, type Lease } from '../../db/leases'
import type { Logger } from '../../telemetry/logger'
import { countEventsBatch, startOfDay, visitorKey } from './count-events-batch'
import { countSources } from './count-sources'
import { summarizeVitals } from './summarize-vitals'

type Services = { database: Database; log: Pick<Logger, 'warn'> }

/** Events per turn. Visitors' writes run between the turns. */
const batchRows = 2000
/** Events that arrived later are counted next time, because a slow write may still come before. */
const settleMs = 10_000
const intervalMs = 15_000
const vitalsIntervalMs = 10 * 60 * 1000
/** Time between two batches while there are more. */
const pauseMs = 20
const leaseTtlMs = 60_000
const maxKnownContexts = 20_000

/** Counts the next events. Returns whether there may be more. */
async function countNextEvents(
  database: Database,
  lease: Lease,
  until: number,
  contexts: Map<string, VisitorContext>,
): Promise<boolean> {
  const cursor = await readCountCursor(database, 'events')
  const events = await readEventBatch(database.run, {
    since: 0,
    until,
    cursor,
    order: 'asc',
    maxRows: batchRows,
  })
  const last = events.at(-1)
  if (!last) return false
  if (contexts.size > maxKnownContexts) contexts.clear()
  await addContexts(
    database.run,
    events.map(({ context_id }) => context_id),
    contexts,
  )
  const steps = new Map<string, number>()
  for (const start of new Set(events.map(({ received_at }) => startOfDay(received_at)))) {
    const devices = events.flatMap(({ received_at, device_id }) =>
      device_id && startOfDay(received_at) === start ? [device_id] : [],
    )
    const known = devices.length
      ? await readVisitorSteps(database, start, [...new Set(devices)])
      : []
    for (const row of known) steps.set(visitorKey(row.start, row.device_id), row.steps)
  }
  const { hours, days, keys, errors, visitors } = countEventsBatch(
    events.map((event) => ({
      ...event,
      ...(contexts.get(event.context_id) ?? { country: '', device: '' }),
    })),
    steps,
  )
  const next: CountCursor = { at: last.received_at, id: last.id }
  const stored = await storeIncrements(database, lease, 'events', next, {
    hours: [...hours.values()],
    days: [...days.values()],
    keys: [...keys.values()],
    errors: [...errors.values()],
    visitors: [...visitors.values()],
  })
  return stored && events.length === batchRows
}

/**
 * Keeps counts of events by hour and day up to date, and web vitals by route. The console reads
 * these instead of millions of events and measurements. Every process calls this function; only the
 * one that holds the lease counts. Returns the function that stops it.
 */
export function startRollup({ database, log }: Services): () => Promise<void> {
  const lease = createLease(database, {
    name: 'event-counts',
    holder: randomUUID(),
    ttlMs: leaseTtlMs,
  })
  const contexts = new Map<string, VisitorContext>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let nextVitalsAt = 0

  /** One turn. Resolves to the time until the next one. */
  async function turn(): Promise<number> {
    if (!(await lease.take())) return intervalMs
    const until = Date.now() - settleMs
    const hasMoreEvents = await countNextEvents(database, lease, until, contexts)
    const hasMoreSources = await countSources(database, lease, until, batchRows)
    if (Date.now() >= nextVitalsAt) {
      nextVitalsAt = Date.now() + vitalsIntervalMs
      await summarizeVitals(database, lease, batchRows)
    }
    return hasMoreEvents || hasMoreSources ? pauseMs : intervalMs
  }
  function run(): void {
    running = turn()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'counting events failed')
        return intervalMs
      })
      .then((waitMs) => {
        if (!stopped) timer = setTimeout(run, waitMs).unref()
      })
  }
  run()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
    await lease.release().catch(() => undefined)
  }
}
