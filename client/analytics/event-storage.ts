import type { AnalyticsEvent } from '../../shared/analytics-event'
import { analytics } from '../../shared/constants'
import type { SafeStorage } from '../platform/safe-storage'

export type EventStorage = {
  /** Keeps an event until it is acknowledged. */
  keep: (event: AnalyticsEvent) => void
  acknowledge: (events: ReadonlyArray<{ id: string }>) => void
  /** Events that an earlier page of this tab, or a tab that is gone, has left; oldest first. */
  leftBehind: (now: number) => AnalyticsEvent[]
  /** Forgets everything: the visitor has refused. */
  clear: () => void
}

const prefix = 'event:'
/** An event that a living tab has emitted is sent within this time (ms); after it another tab may send it. */
const othersAfter = analytics.sendDelay + 5000

type Kept = { key: string; tab: string; ts: number; id: string }
/** `event:{tab}:{ts}:{id}`: one key an event, so that two tabs never overwrite each other's list. */
const parse = (key: string): Kept | null => {
  const [, tab = '', ts = '', id = ''] = key.split(':')
  return id && /^\d+$/.test(ts) ? { key, tab, ts: Number(ts), id } : null
}

/** Events in local storage, bounded in number and bytes, the oldest dropped first. `tab` names this tab over its pages. */
export function createEventStorage(storage: SafeStorage, tab: string): EventStorage {
  const mine = new Map<string, string>()
  /** Keys under which other tabs have left what this one sends now. */
  const adopted = new Map<string, string>()
  const kept = (): Kept[] =>
    storage
      .keys(prefix)
      .flatMap((key) => parse(key) ?? [])
      .sort((a, b) => a.ts - b.ts)

  function makeRoom(bytes: number): void {
    const all = kept()
    const sizes = all.map(({ key }) => key.length + (storage.get(key)?.length ?? 0))
    let total = sizes.reduce((sum, size) => sum + size, bytes)
    for (const [index, { key }] of all.entries()) {
      if (all.length - index < analytics.storedEvents && total <= analytics.storedBytes) return
      storage.remove(key)
      total -= sizes[index] ?? 0
    }
  }

  return {
    keep(event) {
      const key = `${prefix}${tab}:${event.ts}:${event.id}`
      const text = JSON.stringify(event)
      if (text.length > analytics.storedBytes) return
      mine.set(event.id, key)
      makeRoom(key.length + text.length)
      const left = adopted.get(event.id)
      adopted.delete(event.id)
      // The old copy goes when the new one is there: it would be sent again by every page to come.
      if (storage.set(key, text) && left && left !== key) storage.remove(left)
    },
    acknowledge(events) {
      const foreign = new Set<string>()
      for (const { id } of events) {
        const key = mine.get(id)
        if (key) storage.remove(key)
        else foreign.add(id)
        mine.delete(id)
      }
      if (foreign.size > 0)
        for (const { key, id } of kept()) if (foreign.has(id)) storage.remove(key)
    },
    leftBehind(now) {
      return kept().flatMap(({ key, tab: owner, ts, id }) => {
        if (mine.has(id) || (owner !== tab && now - ts < othersAfter)) return []
        const event = parseEvent(storage.get(key))
        // What cannot be read will never be sent.
        if (!event) storage.remove(key)
        else adopted.set(id, key)
        return event ?? []
      })
    },
    clear() {
      for (const key of storage.keys(prefix)) storage.remove(key)
      mine.clear()
    },
  }
}

function parseEvent(text: string | null): AnalyticsEvent | null {
  try {
    const value = JSON.parse(text ?? '') as AnalyticsEvent
    return typeof value.id === 'string' && typeof value.kind === 'string' ? value : null
  } catch {
    return null
  }
}
