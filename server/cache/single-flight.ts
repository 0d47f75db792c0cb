/** A job of one key whose result several requests wait for. */
export type SharedJob<T> = {
  /** Resolves to null when there is nothing to share. */
  done: Promise<T | null>
  /** Aborted when no client waits any more. */
  signal: AbortSignal
  /** A client has disconnected. */
  leave: () => void
  settle: (result: T | null) => void
}

/** Runs one job per key at a time; further requests for the key wait for its result. */
export function createSingleFlight<T>() {
  const running = new Map<string, SharedJob<T> & { clients: number }>()

  return {
    /** Joins the running job of a key; null when there is none. */
    join(key: string): SharedJob<T> | null {
      const job = running.get(key)
      if (!job) return null
      job.clients += 1
      return job
    },
    /** Starts a job. The caller must call `settle` in any case. */
    start(key: string): SharedJob<T> {
      const controller = new AbortController()
      let resolve: (result: T | null) => void = () => undefined
      const done = new Promise<T | null>((settle) => (resolve = settle))
      const job = {
        clients: 1,
        done,
        signal: controller.signal,
        leave: () => {
          job.clients -= 1
          if (job.clients === 0) controller.abort()
        },
        settle: (result: T | null) => {
          if (running.get(key) === job) running.delete(key)
          resolve(result)
        },
      }
      running.set(key, job)
      return job
    },
  }
}
