import { toRecord } from '../platform/to-record'

/** An entry of the tab's history. */
export type HistoryEntry = {
  /** Path and query. */
  address: string
  /** What `history.state` holds; null for entries of the browser. */
  state: unknown
}

export const addressOf = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  pathname + search

export const currentEntry = ({ location, history }: Window): HistoryEntry => ({
  address: addressOf(location),
  state: history.state,
})

/** Index of an entry in the tab's history, as React Router records it. */
export const entryIndex = ({ state }: HistoryEntry): number => Number(toRecord(state)['idx'] ?? 0)

/** Key of an entry; null for entries of the browser (the first page, an anchor on the page). */
export function entryKey({ state }: HistoryEntry): string | null {
  const { key } = toRecord(state)
  return typeof key === 'string' ? key : null
}
