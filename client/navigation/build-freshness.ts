import { buildFreshness } from '../../shared/constants'
import type { Clock } from '../platform/clock'

type Options = {
  buildId: string
  page: Document
  clock: Clock
  fetch: typeof fetch
  /** ms since 1970, so that no cache answers. */ now: () => number
  failed: (url: string, error: unknown) => void
}
/** An answer counts for so long (ms), and a click waits for one no longer than that (ms). */
const confirmedFor = 1000
const patience = 150

type Stamp = { id: string; timestamp: number }
export type BuildFreshness = {
  start: () => () => void
  /** Whether a later build is out: the next navigation is a full load. */
  isStale: () => boolean
  /** Asks now, unless that was done within the last second; resolves with the answer, or after 150 ms without one. */
  confirm: () => Promise<void>
  /** An answer of another build came. */
  markStale: () => void
}

function parseStamp(value: unknown): Stamp {
  const { id, timestamp } = (value ?? {}) as Partial<Record<string, unknown>>
  if (typeof id !== 'string' || typeof timestamp !== 'number')
    throw new Error('the answer names no build')
  return { id, timestamp }
}

/**
 * Asks for the latest build every five minutes while the tab is seen, and whenever it comes into sight again. Two builds may
 * serve side by side while machines are replaced: only a later one counts, or tabs would reload to and fro.
 */
export function createBuildFreshness({
  buildId,
  page,
  clock,
  fetch,
  now,
  failed,
}: Options): BuildFreshness {
  let own: number | null = null
  let stale = false
  let asking: Promise<void> | null = null
  let confirmedAt = -confirmedFor
  let cancel = (): void => undefined

  async function ask(url: string): Promise<Stamp | null> {
    try {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`answered ${response.status}`)
      return parseStamp(await response.json())
    } catch (error) {
      // Without a network nothing has failed that could be mended.
      if (navigator.onLine) failed(url.split('?')[0] ?? url, error)
      return null
    }
  }
  async function check(): Promise<void> {
    const latest = await ask(`/builds/latest.json?${now()}`)
    asking = null
    if (!latest) return
    confirmedAt = clock.now()
    if (latest.id === buildId) own = latest.timestamp
    else if (own !== null && latest.timestamp > own) stale = true
  }
  function poll(): void {
    cancel()
    cancel = clock.after(buildFreshness.pollEvery, poll)
    if (page.visibilityState === 'visible' && !stale) asking ??= check()
  }
  const seen = (): void => {
    if (page.visibilityState === 'visible') poll()
  }
  return {
    isStale: () => stale,
    async confirm() {
      if (stale || clock.now() - confirmedAt < confirmedFor) return
      asking ??= check()
      await Promise.race([asking, new Promise<void>((late) => clock.after(patience, late))])
    },
    markStale: () => void (stale = true),
    start() {
      cancel = clock.after(buildFreshness.pollEvery, poll)
      void ask(`/builds/meta/${buildId}.json`).then(
        (manifest) => (own = manifest?.timestamp ?? own),
      )
      page.addEventListener('visibilitychange', seen)
      return () => {
        cancel()
        page.removeEventListener('visibilitychange', seen)
      }
    },
  }
}
