import type { AnalyticsEvent } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import type { SafeStorage } from '../platform/safe-storage'

export type EventStorage = {
  /** Stores an event until it is acknowledged. */
  store: (event: AnalyticsEvent) => void
  acknowledge: (events: ReadonlyArray<{ id: string }>) => void
  /** Events of earlier pages of this tab and of closed tabs, oldest first. `now`: ms since 1970. */
  takeOrphaned: (now: number) => AnalyticsEvent[]
  /** Deletes all events: the visitor has refused. */
  clear: () => void
}

const prefix = 'event:'
/**
 * An open tab sends its events within this time (ms). Older events of another tab count as
 * orphaned.
 */
const orphanedAfterMs = analytics.sendDelayMs + 5000

type StoredKey = { key: string; tab: string; ts: number; id: string }
/**
 * `event:{tab}:{ts}:{id}`. Each event has a separate key, so two tabs never overwrite each
 * other's events.
 */
function parseKey(key: string): StoredKey | null {
  const [, tab = '', ts = '', id = ''] = key.split(':')
  return id && /^\d+$/.test(ts) ? { key, tab, ts: Number(ts), id } : null
}

function parseEvent(text: string | null): AnalyticsEvent | null {
  try {
    // Cast: a page of this site stored it, perhaps of an older build; the server checks every
    // field.
    const event = JSON.parse(text ?? '') as AnalyticsEvent
    return typeof event.id === 'string' && typeof event.kind === 'string' ? event : null
  } catch {
    return null
  }
}

/** All stored events, oldest first. */
const listStored = (storage: SafeStorage): StoredKey[] =>
  storage
    .keys(prefix)
    .flatMap((key) => parseKey(key) ?? [])
    .sort((a, b) => a.ts - b.ts)

/** Drops the oldest events until another one of `length` characters fits. */
function makeRoom(storage: SafeStorage, length: number): void {
  const stored = listStored(storage)
  const sizes = stored.map(({ key }) => key.length + (storage.get(key)?.length ?? 0))
  let total = sizes.reduce((sum, size) => sum + size, length)
  for (const [index, { key }] of stored.entries()) {
    const count = stored.length - index
    if (count < analytics.maxStoredEvents && total <= analytics.maxStoredChars) return
    storage.remove(key)
    total -= sizes[index] ?? 0
  }
}

/**
 * Events in local storage, limited in number and size. `tab` identifies this tab across its pages.
 */
export function createEventStorage(storage: SafeStorage, tab: string): EventStorage {
  /** Keys of this page's events, by event id. */
  const ownKeys = new Map<string, string>()
  /** Keys under which other pages stored the events that this page now sends, by event id. */
  const orphanedKeys = new Map<string, string>()

  return {
    store(event) {
      const key = `${prefix}${tab}:${event.ts}:${event.id}`
      const text = JSON.stringify(event)
      if (text.length > analytics.maxStoredChars) return
      ownKeys.set(event.id, key)
      makeRoom(storage, key.length + text.length)
      const orphanedKey = orphanedKeys.get(event.id)
      orphanedKeys.delete(event.id)
      // Without this the next pages would find the orphaned copy and send it again.
      if (storage.set(key, text) && orphanedKey && orphanedKey !== key) storage.remove(orphanedKey)
    },
    acknowledge(events) {
      const foreignIds = new Set<string>()
      for (const { id } of events) {
        const key = ownKeys.get(id)
        if (key) storage.remove(key)
        else foreignIds.add(id)
        ownKeys.delete(id)
      }
      if (foreignIds.size === 0) return
      for (const { key, id } of listStored(storage)) if (foreignIds.has(id)) storage.remove(key)
    },
    takeOrphaned(now) {
      return listStored(storage).flatMap(({ key, tab: owner, ts, id }) => {
        if (ownKeys.has(id) || (owner !== tab && now - ts < orphanedAfterMs)) return []
        const event = parseEvent(storage.get(key))
        // An unreadable event can never be sent.
        if (!event) storage.remove(key)
        else orphanedKeys.set(id, key)
        return event ?? []
      })
    },
    clear() {
      for (const key of storage.keys(prefix)) storage.remove(key)
      ownKeys.clear()
    },
  }
}
