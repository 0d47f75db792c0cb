/** Counts by key, with the visitors that each had. */
export type Tally = {
  /** An empty device is nobody who can be told apart: it counts as no visitor. */
  add: (key: string, device: string, count?: number) => void
  /** The largest count first, equal ones by key. */
  rows: () => TallyRow[]
  keys: () => number
}
export type TallyRow = {
  key: string
  count: number
  visitors: number
  devices: ReadonlySet<string>
}

/** Keys come from visitors (addresses, messages): more than these would fill the memory, so the rest share one row. */
const mostKeys = 5000
export const otherKeys = '(others)'

export function createTally(): Tally {
  const found = new Map<string, { count: number; devices: Set<string> }>()
  const entryOf = (key: string): { count: number; devices: Set<string> } => {
    const known = found.get(key)
    if (known) return known
    if (found.size >= mostKeys && key !== otherKeys) return entryOf(otherKeys)
    const made = { count: 0, devices: new Set<string>() }
    found.set(key, made)
    return made
  }
  return {
    add(key, device, count = 1) {
      const entry = entryOf(key)
      entry.count += count
      if (device) entry.devices.add(device)
    },
    keys: () => found.size,
    rows: () =>
      [...found]
        .map(([key, { count, devices }]) => ({ key, count, visitors: devices.size, devices }))
        .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)),
  }
}
