/** Counts by key, with the devices (visitors) of each key. */
export type Tally = {
  /** An event without a device id counts, but adds no visitor. */
  add: (key: string, deviceId: string, count?: number) => void
  /** Sorted by count, largest first, then by key. */
  rows: () => TallyRow[]
}
export type TallyRow = {
  key: string
  count: number
  visitors: number
  devices: ReadonlySet<string>
}
type Entry = { count: number; devices: Set<string> }

/** Visitors send the keys (URLs, messages), so their number is limited; the rest share one row. */
const maxKeys = 5000
export const otherKeys = '(others)'

export function createTally(): Tally {
  const entries = new Map<string, Entry>()
  const entryOf = (key: string): Entry => {
    const existing = entries.get(key)
    if (existing) return existing
    if (entries.size >= maxKeys && key !== otherKeys) return entryOf(otherKeys)
    const entry: Entry = { count: 0, devices: new Set<string>() }
    entries.set(key, entry)
    return entry
  }
  return {
    add(key, deviceId, count = 1) {
      const entry = entryOf(key)
      entry.count += count
      if (deviceId) entry.devices.add(deviceId)
    },
    rows: () =>
      [...entries]
        .map(([key, { count, devices }]) => ({ key, count, visitors: devices.size, devices }))
        .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)),
  }
}

/** Joins the parts of a composite key. */
export const joinKey = (...parts: readonly string[]): string => parts.join('\n')

/** Splits a composite key into `count` parts; missing parts are empty. */
export function splitKey(key: string, count: number): string[] {
  const parts = key.split('\n')
  return Array.from({ length: count }, (_, index) => parts[index] ?? '')
}
