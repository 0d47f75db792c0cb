/** A request that failed. `id` is that of its log lines. */
export type RecentError = { at: number; id: string; path: string; message: string }
export type RecentErrors = {
  add: (error: Omit<RecentError, 'at'>) => void
  /** Newest first. */
  list: () => RecentError[]
}

const maxErrors = 100

/** The last failed requests of this process. */
export function createRecentErrors(): RecentErrors {
  const errors: RecentError[] = []
  return {
    add(error) {
      errors.unshift({ at: Date.now(), ...error })
      if (errors.length > maxErrors) errors.pop()
    },
    list: () => [...errors],
  }
}
