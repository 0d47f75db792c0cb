import { setTimeout as sleep } from 'node:timers/promises'
import { SiteError } from '../errors'
import type { ImageDatabase } from './image-database'
import { createSemaphore } from './semaphore'

type EncodeQueueOptions = {
  db: ImageDatabase
  /** Encodes that run at the same time, over all processes of the machine. */
  maxConcurrent: number
  /** How many may wait in this process, and how long each. */
  maxWaiting: number
  maxWaitMs: number
}
export type EncodeQueue = ReturnType<typeof createEncodeQueue>

/**
 * A claim expires after this time unless its process renews it, which it does three times as often.
 */
const claimTtlMs = 6000
/** How often a waiting job checks whether another process has finished. */
const pollIntervalMs = 25

const busy = (): SiteError => new SiteError('imagesBusy', undefined, { 'Retry-After': '2' })

/**
 * Claims on keys in the database that all processes share. They expire, so that a killed process
 * blocks its keys for six seconds at most. When the database cannot be written (disk full, file
 * locked), every claim succeeds: each process then keeps to its own limit and images still appear.
 */
function createClaims(db: ImageDatabase, maxConcurrent: number) {
  const deleteExpired = db.prepare('DELETE FROM jobs WHERE until < ?')
  const find = db.prepare<[string], { key: string }>('SELECT key FROM jobs WHERE key = ?')
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM jobs')
  const insert = db.prepare('INSERT INTO jobs VALUES (?, ?)')
  const renew = db.prepare('UPDATE jobs SET until = ? WHERE key = ?')
  const remove = db.prepare('DELETE FROM jobs WHERE key = ?')
  const claim = db.transaction((key: string, now: number): boolean => {
    deleteExpired.run(now)
    if (find.get(key) || (count.get()?.n ?? 0) >= maxConcurrent) return false
    insert.run(key, now + claimTtlMs)
    return true
  })
  function ignoreErrors(write: () => void): void {
    try {
      write()
    } catch {
      // An expired or forgotten claim costs one duplicate encode.
    }
  }

  return {
    /** False when another process encodes this key, or when all slots of the machine are taken. */
    tryClaim(key: string): boolean {
      try {
        return claim.immediate(key, Date.now())
      } catch {
        return true
      }
    },
    /** Runs `work` for a claimed key: renews the claim meanwhile, and gives it up afterwards. */
    async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
      const renewal = setInterval(
        () => ignoreErrors(() => renew.run(Date.now() + claimTtlMs, key)),
        claimTtlMs / 3,
      )
      try {
        return await work()
      } finally {
        clearInterval(renewal)
        ignoreErrors(() => remove.run(key))
      }
    },
  }
}

type Flight = { result: Promise<Buffer>; waiters: { count: number } }

/**
 * Encodes each key once over all processes (single-flight), and never more at the same time than
 * `maxConcurrent`. Rejects with 503 and `Retry-After` when too many jobs wait already.
 */
export function createEncodeQueue({
  db,
  maxConcurrent,
  maxWaiting,
  maxWaitMs,
}: EncodeQueueOptions) {
  const claims = createClaims(db, maxConcurrent)
  const slots = createSemaphore(maxConcurrent)
  const inFlight = new Map<string, Flight>()
  let pending = 0

  async function run(
    key: string,
    readStored: () => Promise<Buffer | null>,
    encode: () => Promise<Buffer>,
    waiters: Flight['waiters'],
  ): Promise<Buffer> {
    if (pending >= maxConcurrent + maxWaiting) throw busy()
    pending += 1
    const deadline = Date.now() + maxWaitMs
    await slots.acquire()
    try {
      for (;;) {
        if (waiters.count <= 0 || Date.now() > deadline) throw busy()
        const stored = await readStored()
        if (stored) return stored
        if (claims.tryClaim(key)) return await claims.hold(key, encode)
        await sleep(pollIntervalMs)
      }
    } finally {
      pending -= 1
      slots.release()
    }
  }

  return {
    /** Jobs of this process that wait or run. */
    pendingCount: (): number => pending,
    /**
     * Returns the bytes of a key: from `readStored` when another process has stored them meanwhile,
     * else from `encode`. Call `leave` when the request has ended; a job that no request waits for
     * is not started.
     */
    join(
      key: string,
      readStored: () => Promise<Buffer | null>,
      encode: () => Promise<Buffer>,
    ): { result: Promise<Buffer>; leave: () => void } {
      let flight = inFlight.get(key)
      if (!flight) {
        const waiters = { count: 0 }
        const result = run(key, readStored, encode, waiters).finally(() => inFlight.delete(key))
        flight = { result, waiters }
        inFlight.set(key, flight)
      }
      const { result, waiters } = flight
      waiters.count += 1
      return { result, leave: () => void (waiters.count -= 1) }
    },
  }
}
