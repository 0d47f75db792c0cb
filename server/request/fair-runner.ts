import { SiteError, type ErrorName } from '../errors'
import { createFairQueue } from './fair-queue'

type FairRunnerOptions = {
  /** Most jobs that wait, over all groups. */
  maxWaiting: number
  /** Most jobs of one group, waiting and running. */
  maxInFlight: number
  /** The error for a job beyond these limits. */
  busy: ErrorName
  retryAfterSeconds: number
}
type Pending = { start: () => Promise<unknown>; reject: (error: SiteError) => void }

/**
 * Runs one job at a time, and takes turns between groups: one group with slow jobs delays another
 * by one job at most. A group is an address (`addressGroup`), or a part of the site.
 */
export function createFairRunner(options: FairRunnerOptions) {
  const { maxWaiting, maxInFlight } = options
  const waiting = createFairQueue<Pending>()
  const inFlight = new Map<string, number>()
  let isRunning = false
  let isClosed = false

  function refuse(error: ErrorName): SiteError {
    return new SiteError(error, undefined, { 'Retry-After': String(options.retryAfterSeconds) })
  }

  function countInFlight(group: string, change: 1 | -1): void {
    const count = (inFlight.get(group) ?? 0) + change
    if (count > 0) inFlight.set(group, count)
    else inFlight.delete(group)
  }

  async function startNext(): Promise<void> {
    const next = isRunning ? undefined : waiting.shift()
    if (!next) return
    isRunning = true
    await next.start()
    isRunning = false
    void startNext()
  }

  function enqueue<T>(group: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (): Promise<void> => job().then(resolve, reject)
      const pending = { start, reject }
      waiting.push(group, pending)
      signal?.addEventListener('abort', () => {
        if (waiting.remove(group, pending)) countInFlight(group, -1)
      })
      void startNext()
    })
  }

  return {
    /**
     * Rejects with 429 when the group has too many jobs in flight, and with `busy` when too many
     * wait. Never settles when `signal` aborts before the job has started.
     */
    async run<T>(group: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if ((inFlight.get(group) ?? 0) >= maxInFlight) throw refuse('tooManyRequests')
      if (isClosed || waiting.length() >= maxWaiting) throw refuse(options.busy)
      countInFlight(group, 1)
      try {
        return await enqueue(group, job, signal)
      } finally {
        countInFlight(group, -1)
      }
    },
    /** Whether the group may have another job. */
    hasRoom: (group: string): boolean => (inFlight.get(group) ?? 0) < maxInFlight,
    /** Jobs that wait. */
    length: waiting.length,
    /** Jobs that wait or run. */
    pendingCount: (): number => waiting.length() + Number(isRunning),
    /** Refuses the jobs that wait. */
    close(): void {
      isClosed = true
      for (let next = waiting.shift(); next; next = waiting.shift())
        next.reject(refuse(options.busy))
    },
  }
}
