/** `requests`: how many requests the job sends at once. `run` never rejects. */
export type PrefetchJob = { key: string; requests: number; run: () => Promise<void> }
type PrefetchQueue = {
  find: (key: string) => PrefetchJob | undefined
  /** Adds a job, or moves it; `first` puts it before all waiting jobs. */
  put: (job: PrefetchJob, first: boolean) => void
  /** Drops all waiting jobs. */
  clear: () => void
}

/** Runs jobs in order with at most `maxRequests` requests in flight. */
export function createPrefetchQueue(maxRequests: number): PrefetchQueue {
  let waiting: PrefetchJob[] = []
  let inFlight = 0

  function runNext(): void {
    for (;;) {
      const [job] = waiting
      if (!job || inFlight + job.requests > maxRequests) return
      waiting.shift()
      inFlight += job.requests
      void job.run().finally(() => {
        inFlight -= job.requests
        runNext()
      })
    }
  }
  return {
    find: (key) => waiting.find((job) => job.key === key),
    put(job, first) {
      const others = waiting.filter((other) => other !== job)
      waiting = first ? [job, ...others] : [...others, job]
      runNext()
    },
    clear() {
      waiting = []
    },
  }
}
