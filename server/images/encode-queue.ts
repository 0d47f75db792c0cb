import { SiteError } from '../errors'
import type { ImageDatabase } from './image-database'

export type EncodeQueueOptions = {
  db: ImageDatabase
  /** Encoders at once, over all processes of the machine. */
  slots: number
  /** How many may wait in this process, and how long each (ms). */
  waiting: number
  maxWait: number
}
export type EncodeQueue = ReturnType<typeof createEncodeQueue>

/** A job whose process gives no sign for this long counts as dead (ms); a living one gives one three times as often. */
const jobLife = 6000
/** How often a waiter looks whether another process has finished (ms). */
const lookEvery = 25
const retryLater = (): SiteError => new SiteError('imagesBusy', undefined, { 'Retry-After': '2' })

type Claim = 'mine' | 'elsewhere' | 'full'
type Flight = { done: Promise<Buffer>; /** Requests that still want it. */ wanted: number }

/**
 * One computation a key over all processes, and never more at once than there are slots. Claims are rows in the shared
 * ledger that expire, so a killed process holds up nobody for long. Who does not find room to wait is told to come later.
 */
export function createEncodeQueue({ db, slots, waiting, maxWait }: EncodeQueueOptions) {
  const expire = db.prepare('DELETE FROM jobs WHERE until < ?')
  const find = db.prepare<[string], { key: string }>('SELECT key FROM jobs WHERE key = ?')
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM jobs')
  const add = db.prepare('INSERT INTO jobs VALUES (?, ?)')
  const renew = db.prepare('UPDATE jobs SET until = ? WHERE key = ?')
  const drop = db.prepare('DELETE FROM jobs WHERE key = ?')
  const claimInLedger = db.transaction((key: string, now: number): Claim => {
    expire.run(now)
    if (find.get(key)) return 'elsewhere'
    if ((count.get()?.n ?? 0) >= slots) return 'full'
    add.run(key, now + jobLife)
    return 'mine'
  })

  /** Without a ledger (disk full, file locked) each process keeps to its own slots; pictures are still shown. */
  function ledger<T>(work: () => T, otherwise: T): T {
    try {
      return work()
    } catch {
      return otherwise
    }
  }

  const flights = new Map<string, Flight>()
  const line: Array<() => void> = []
  let running = 0
  let entered = 0

  async function takeTurn(): Promise<void> {
    if (running < slots) running += 1
    else await new Promise<void>((resolve) => line.push(resolve))
  }
  /** A turn passes straight to the next in line, so that nobody slips in between. */
  function endTurn(): void {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  async function run(
    key: string,
    flight: Flight,
    known: () => Promise<Buffer | null>,
    make: () => Promise<Buffer>,
  ): Promise<Buffer> {
    if (entered >= slots + waiting) throw retryLater()
    entered += 1
    const end = Date.now() + maxWait
    await takeTurn()
    try {
      for (;;) {
        if (flight.wanted <= 0 || Date.now() > end) throw retryLater()
        const made = await known()
        if (made) return made
        if (ledger(() => claimInLedger.immediate(key, Date.now()), 'mine') === 'mine') break
        await new Promise((resolve) => setTimeout(resolve, lookEvery))
      }
      const alive = setInterval(
        () => ledger(() => renew.run(Date.now() + jobLife, key), null),
        jobLife / 3,
      )
      try {
        return await make()
      } finally {
        clearInterval(alive)
        ledger(() => drop.run(key), null)
      }
    } finally {
      entered -= 1
      endTurn()
    }
  }

  return {
    /** Computations that wait or run in this process. */
    waiting: (): number => entered,
    /**
     * The bytes of a key: from `known` when another has made them meanwhile, else from `make`. `leave` tells that a
     * request is gone; a computation that nobody wants any more is not begun. Rejects with 503 when the queue is full.
     */
    join(
      key: string,
      known: () => Promise<Buffer | null>,
      make: () => Promise<Buffer>,
    ): { done: Promise<Buffer>; leave: () => void } {
      let flight = flights.get(key)
      if (!flight) {
        const begun: Flight = { done: Promise.resolve(Buffer.alloc(0)), wanted: 0 }
        begun.done = run(key, begun, known, make).finally(() => flights.delete(key))
        flights.set(key, begun)
        flight = begun
      }
      flight.wanted += 1
      const joined = flight
      return { done: joined.done, leave: () => void (joined.wanted -= 1) }
    },
  }
}
