/** What visitor modules keep things in. A browser may forbid storage, or have it full: nothing here throws. */
export type SafeStorage = {
  get: (key: string) => string | null
  /** Tells whether it was kept. */
  set: (key: string, value: string) => boolean
  remove: (key: string) => void
  /** Keys with a prefix, in no order. */
  keys: (prefix: string) => string[]
}

type Browser = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** `find` is called at each use: reading `window.localStorage` itself throws where storage is forbidden. */
export function safeStorage(find: () => Browser): SafeStorage {
  const attempt = <T>(run: (storage: Browser) => T, otherwise: T): T => {
    try {
      return run(find())
    } catch {
      return otherwise
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
