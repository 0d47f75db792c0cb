import type { AnalyticsEvent, EventContext } from '../../shared/analytics-event'
import type { Envelope } from '../../shared/envelope'
import { splitIntoBatches } from './event-batches'
import type { EventTransport } from './event-transport'

type Deps = {
  transport: Pick<EventTransport, 'encrypt' | 'beacon'>
  context: () => EventContext
  /** The events that would be lost if the page were closed now. */
  pending: () => readonly AnalyticsEvent[]
}
type PageHideBeacon = {
  /** Encrypts the pending events again, because they have changed. */
  prepare: () => void
  /** Hands the pending events to the browser; the page may be closed right after. */
  send: () => Promise<void>
}
type EncryptedBatch = { list: readonly AnalyticsEvent[]; envelope: Envelope }

/**
 * Keeps the pending events encrypted at all times. WebCrypto is asynchronous and a page that is
 * closed runs no further tasks, so only what is encrypted already can be handed over before the
 * handler of `pagehide` returns (decision 60). Other events are tried too. All of them stay stored.
 */
export function createPageHideBeacon({ transport, context, pending }: Deps): PageHideBeacon {
  let encrypted: readonly EncryptedBatch[] = []
  const sentIds = new Set<string>()
  let hasChanged = false
  let isEncrypting = false

  const unsent = (): AnalyticsEvent[] => pending().filter(({ id }) => !sentIds.has(id))
  const encryptUnsent = (): Promise<EncryptedBatch[]> =>
    Promise.all(
      splitIntoBatches(unsent(), context()).map(async (list) => ({
        list,
        envelope: await transport.encrypt({ list, comm: context() }),
      })),
    )

  async function prepare(): Promise<void> {
    hasChanged = true
    if (isEncrypting) return
    isEncrypting = true
    while (hasChanged) {
      hasChanged = false
      // Without a key nothing can be encrypted; the sender warns about it.
      encrypted = await encryptUnsent().catch(() => [])
    }
    isEncrypting = false
  }

  /** False when the browser accepts no more. */
  function sendBatch({ list, envelope }: EncryptedBatch): boolean {
    if (!transport.beacon(envelope)) return false
    for (const { id } of list) sentIds.add(id)
    return true
  }

  return {
    prepare: () => void prepare(),
    async send() {
      const unsentIds = new Set(unsent().map(({ id }) => id))
      // A batch with an event that has been sent meanwhile is encrypted again below.
      const ready = encrypted.filter(({ list }) => list.every(({ id }) => unsentIds.has(id)))
      for (const batch of ready) if (!sendBatch(batch)) return
      encrypted = []
      if (unsent().length === 0) return
      for (const batch of await encryptUnsent().catch(() => [])) if (!sendBatch(batch)) return
    },
  }
}
