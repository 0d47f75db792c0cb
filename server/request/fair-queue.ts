/**
 * A queue that takes turns between groups, so that one address with many entries does not delay
 * the others. No group is served twice in a row while another one waits.
 */
export function createFairQueue<T>() {
  /** Entries by group. The first group is served next; afterwards it moves to the end. */
  const groups = new Map<string, T[]>()
  let length = 0
  let lastGroup = ''

  function nextGroup(isAllowed: (group: string) => boolean): string | undefined {
    for (const group of groups.keys()) if (group !== lastGroup && isAllowed(group)) return group
    return groups.has(lastGroup) && isAllowed(lastGroup) ? lastGroup : undefined
  }

  return {
    length: (): number => length,
    push(group: string, entry: T): void {
      const entries = groups.get(group)
      if (entries) entries.push(entry)
      else groups.set(group, [entry])
      length += 1
    },
    /** Removes and returns the next entry of an allowed group; undefined when there is none. */
    shift(isAllowed: (group: string) => boolean = () => true): T | undefined {
      const group = nextGroup(isAllowed)
      const entries = group === undefined ? undefined : groups.get(group)
      const entry = entries?.shift()
      if (group === undefined || !entries || entry === undefined) return undefined
      groups.delete(group)
      if (entries.length > 0) groups.set(group, entries)
      length -= 1
      lastGroup = group
      return entry
    },
    /** Removes an entry. Returns false when it is not in the queue any more. */
    remove(group: string, entry: T): boolean {
      const entries = groups.get(group) ?? []
      const index = entries.indexOf(entry)
      if (index < 0) return false
      entries.splice(index, 1)
      if (entries.length === 0) groups.delete(group)
      length -= 1
      return true
    },
  }
}
