/** One render a key at a time: others wait for its result; when all of them have gone, it is aborted. */
export type Job<T> = {
  done: Promise<T | null>
  signal: AbortSignal
  leave: () => void
  settle: (result: T | null) => void
}

export function createJobs<T>() {
  const running = new Map<string, Job<T> & { clients: number }>()

  return {
    /** Joins the running job of a key, or null when there is none. */
    join(key: string): Job<T> | null {
      const job = running.get(key)
      if (!job) return null
      job.clients += 1
      return job
    },
    /** Begins a job; `settle` must be called whatever happens, with null when there is nothing to share. */
    begin(key: string): Job<T> {
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
