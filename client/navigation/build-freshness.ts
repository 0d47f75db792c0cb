import { buildFreshness } from '../../shared/constants'
import type { Clock } from '../platform/clock'
import { toRecord } from '../platform/to-record'

type Options = {
  buildId: string
  document: Document
  clock: Clock
  fetch: typeof globalThis.fetch
  /** ms since 1970; sent with each request so that no cache answers it. */
  now: () => number
  isOffline: () => boolean
  onFailure: (url: string, error: unknown) => void
}
/** How long an answer counts as current. */
const confirmedForMs = 1000
/** How long a click waits for an answer. */
const confirmTimeoutMs = 150

type BuildStamp = { id: string; timestamp: number }
export type BuildFreshness = {
  start: () => () => void
  /** Whether a later build is deployed: the next navigation is a full load. */
  isStale: () => boolean
  /**
   * Asks for the latest build, unless an answer came within the last second. Resolves with the
   * answer, or after 150 ms without one.
   */
  confirm: () => Promise<void>
  /** Called when an answer of another build arrives. */
  markStale: () => void
}

function parseStamp(value: unknown): BuildStamp {
  const { id, timestamp } = toRecord(value)
  if (typeof id !== 'string' || typeof timestamp !== 'number')
    throw new Error('the answer names no build')
  return { id, timestamp }
}

async function fetchStamp(
  url: string,
  { fetch, isOffline, onFailure }: Pick<Options, 'fetch' | 'isOffline' | 'onFailure'>,
): Promise<BuildStamp | null> {
  try {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`answered ${response.status}`)
    return parseStamp(await response.json())
  } catch (error) {
    // Without a network the failure is expected.
    if (!isOffline()) onFailure(url.split('?')[0] ?? url, error)
    return null
  }
}

/**
 * Asks for the latest build every five minutes while the tab is visible, and whenever it becomes
 * visible again. Two builds may run side by side during a deployment, so only a later timestamp
 * counts: otherwise tabs would reload back and forth between them.
 */
export function createBuildFreshness(options: Options): BuildFreshness {
  const { buildId, document, clock, now } = options
  let runningTimestamp: number | null = null
  let isStale = false
  let pendingCheck: Promise<void> | null = null
  let confirmedAt = -confirmedForMs
  let cancelPoll = (): void => undefined

  async function check(): Promise<void> {
    const latest = await fetchStamp(`/builds/latest.json?${now()}`, options)
    pendingCheck = null
    if (!latest) return
    confirmedAt = clock.now()
    if (latest.id === buildId) runningTimestamp = latest.timestamp
    else if (runningTimestamp !== null && latest.timestamp > runningTimestamp) isStale = true
  }
  function poll(): void {
    cancelPoll()
    cancelPoll = clock.after(buildFreshness.pollIntervalMs, poll)
    if (document.visibilityState === 'visible' && !isStale) pendingCheck ??= check()
  }
  const onVisibilityChange = (): void => {
    if (document.visibilityState === 'visible') poll()
  }
  return {
    isStale: () => isStale,
    async confirm() {
      if (isStale || clock.now() - confirmedAt < confirmedForMs) return
      pendingCheck ??= check()
      const timeout = new Promise<void>((resolve) => clock.after(confirmTimeoutMs, resolve))
      await Promise.race([pendingCheck, timeout])
    },
    markStale: () => void (isStale = true),
    start() {
      cancelPoll = clock.after(buildFreshness.pollIntervalMs, poll)
      void fetchStamp(`/builds/meta/${buildId}.json`, options).then(
        (manifest) => (runningTimestamp = manifest?.timestamp ?? runningTimestamp),
      )
      document.addEventListener('visibilitychange', onVisibilityChange)
      return () => {
        cancelPoll()
        document.removeEventListener('visibilitychange', onVisibilityChange)
      }
    },
  }
}
