/** A browser storage that never throws, even where storage is forbidden or full. */
export type SafeStorage = {
  get: (key: string) => string | null
  /** Returns whether the value was stored. */
  set: (key: string, value: string) => boolean
  remove: (key: string) => void
  /** Keys with a prefix, in no particular order. */
  keys: (prefix: string) => string[]
}

type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/**
 * `getStorage` is called at each use: reading `window.localStorage` throws where storage is
 * forbidden.
 */
export function createSafeStorage(getStorage: () => BrowserStorage): SafeStorage {
  const attempt = <T>(run: (storage: BrowserStorage) => T, fallback: T): T => {
    try {
      return run(getStorage())
    } catch {
      return fallback
    }
  }
  return {
    get: (key) => attempt((storage) => storage.getItem(key), null),
    set: (key, value) => attempt((storage) => (storage.setItem(key, value), true), false),
    remove: (key) => attempt((storage) => storage.removeItem(key), undefined),
    keys: (prefix) =>
      attempt(
        (storage) =>
          Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter(
            (key): key is string => key?.startsWith(prefix) ?? false,
          ),
        [],
      ),
  }
}
