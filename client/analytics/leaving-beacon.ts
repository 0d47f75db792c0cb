import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import { batches } from './event-batches'
import type { EventTransport, Sealed } from './event-transport'

type Deps = {
  transport: Pick<EventTransport, 'seal' | 'beacon'>
  context: () => EventContext
  /** What is to be handed over if the page goes now. */
  waiting: () => readonly AnalyticsEvent[]
}
export type LeavingBeacon = {
  /** What waits has changed. */
  prepare: () => void
  /** The page may be gone at once. */
  handOver: () => Promise<void>
}

/**
 * Keeps what waits sealed at all times. A cipher of the browser answers later, and a page that goes has no later: only what is sealed by then can
 * be handed to the browser before the handler of `pagehide` returns. What is not sealed yet is tried all the same; all of it stays stored.
 */
export function createLeavingBeacon({ transport, context, waiting }: Deps): LeavingBeacon {
  let sealed: ReadonlyArray<{ list: readonly AnalyticsEvent[]; parts: Sealed }> = []
  const handed = new Set<string>()
  let changed = false
  let running = false

  const rest = (): AnalyticsEvent[] => waiting().filter(({ id }) => !handed.has(id))
  const sealAll = (): Promise<typeof sealed> =>
    Promise.all(
      batches(rest(), context()).map(async (list) => ({
        list,
        parts: await transport.seal({ list, comm: context() }),
      })),
    )

  async function prepare(): Promise<void> {
    changed = true
    if (running) return
    running = true
    while (changed) {
      changed = false
      // Without a key nothing is ready; the queue's own sending says so to whoever looks.
      sealed = await sealAll().catch(() => [])
    }
    running = false
  }

  /** False: the browser takes no more. */
  function hand({ list, parts }: (typeof sealed)[number]): boolean {
    if (!transport.beacon(parts)) return false
    for (const { id } of list) handed.add(id)
    return true
  }

  return {
    prepare: () => void prepare(),
    async handOver() {
      const open = new Set(rest().map(({ id }) => id))
      // A batch of which a part is on its way already is sealed anew below.
      for (const batch of sealed.filter(({ list }) => list.every(({ id }) => open.has(id))))
        if (!hand(batch)) return
      sealed = []
      if (rest().length === 0) return
      for (const batch of await sealAll().catch(() => [])) if (!hand(batch)) return
    },
  }
}
