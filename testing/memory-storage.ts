import { createSafeStorage, type SafeStorage } from '../client/platform/safe-storage'

/** Browser storage in memory. Set `full` to make writes fail. */
export function memoryStorage(): SafeStorage & { full: boolean; entries: Map<string, string> } {
  const entries = new Map<string, string>()
  const memory = { entries, full: false }
  const storage = createSafeStorage(() => ({
    getItem: (key) => entries.get(key) ?? null,
    setItem(key, value) {
      if (memory.full) throw new Error('QuotaExceededError')
      entries.set(key, value)
    },
    removeItem: (key) => void entries.delete(key),
    key: (index) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }))
  return Object.assign(memory, storage)
}
