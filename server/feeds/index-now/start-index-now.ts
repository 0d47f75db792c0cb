import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database'
import { createLease } from '../../db/leases'
import type { Settings } from '../../env'
import type { Logger } from '../../telemetry/logger'
import { createCollector } from './collect-changes'
import { createPageStates, type PageServices } from './page-states'
import { createSender } from './send-batches'

type Services = PageServices & {
  database: Database
  settings: Pick<Settings, 'INDEXNOW_KEY' | 'INDEXNOW_ENDPOINT'>
  log: Logger
}

/** An editor often saves several files; their URLs go out together. */
const collectDelayMs = 1000
/** How often the lease is renewed, or asked for while another process has it. */
const renewMs = 10_000
const leaseOptions = { name: 'index-now', ttlMs: 45_000 }

/**
 * Announces changed, new and removed pages by the IndexNow protocol (spec 9.9). Every process
 * starts this; the one with the lease compares and sends. Returns the function that stops it.
 */
export function startIndexNow(services: Services): () => Promise<void> {
  const { database, store, log } = services
  const lease = createLease(database, { ...leaseOptions, holder: randomUUID() })
  const collector = createCollector({ database, lease, log, pages: createPageStates(services) })
  const sendDue = createSender({ ...services, lease })
  const changedTags = new Set<string>()
  let needsAll = true
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let stopped = false

  /** All pages are compared next, so the tags that changed until then are not needed. */
  function compareAllLater(): void {
    needsAll = true
    changedTags.clear()
  }

  async function collect(): Promise<boolean> {
    const tags = new Set(changedTags)
    changedTags.clear()
    const done = await (needsAll ? collector.collectAll() : collector.collectChanged(tags))
    needsAll = !done
    return done
  }

  /** One turn. Resolves to the time until the next one. */
  async function turn(): Promise<number> {
    // What happened while another process had the lease is found by comparing everything.
    if (!(await lease.take())) compareAllLater()
    else if (await collect()) {
      const nextAt = await sendDue()
      if (nextAt !== null) return Math.min(Math.max(nextAt - Date.now(), 0), renewMs)
    }
    return renewMs
  }

  function run(): void {
    running = turn()
      .catch((error: unknown) => {
        compareAllLater()
        log.warn({ err: error }, 'announcing changed URLs failed')
        return renewMs
      })
      .then((waitMs) => {
        running = null
        schedule(changedTags.size > 0 ? collectDelayMs : waitMs)
      })
  }

  function schedule(waitMs: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(run, waitMs).unref()
  }

  store.onChange((tags) => {
    for (const tag of tags) changedTags.add(tag)
    if (!running) schedule(collectDelayMs)
  })
  run()

  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
    await lease.release().catch(() => undefined)
  }
}
