import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { purgeRequest, type PurgeRequest } from '../../shared/console/system'
import { sharedCache } from '../../shared/constants'
import type { Origins } from '../../shared/routes/href'
import type { RedisConnection } from '../db/connect-redis'
import type { PurgeMatcher } from './answer-cache'
import { purgeMatcher } from './purges'
import type { StoredAnswer } from './stored-answer'

/**
 * What all machines share in Redis: the number of the last purge, the last purges by number, and
 * the channel that announces each.
 */
const keys = {
  generation: 'site:{purges}:generation',
  log: 'site:{purges}:log',
  channel: 'site:{purges}:channel',
}
export const generationKey = keys.generation

/**
 * Numbers, logs and publishes a purge in one step, so that no process sees one without the others.
 * A Redis that has lost its data starts at the current time in milliseconds, which is above every
 * number given out before.
 */
const announceScript = `
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SET', KEYS[1], ARGV[1]) end
local number = string.format('%.0f', redis.call('INCR', KEYS[1]))
local entry = number .. ' ' .. ARGV[2]
redis.call('ZADD', KEYS[2], number, entry)
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -tonumber(ARGV[3]) - 1)
redis.call('PUBLISH', KEYS[3], entry)
return number`

const purge = z.object({ id: z.string(), request: purgeRequest })
type Purge = z.infer<typeof purge>
type NumberedPurge = Purge & { number: number }
/** Room for a time in milliseconds plus the purges since. */
const generationPattern = /^\d{1,15}$/

export type SharedPurges = {
  /**
   * The number of the last purge that this process knows of. Null: not known, so this process
   * shares no answers.
   */
  generation: () => number | null
  /** Whether Redis has the same number. If not, this process has missed a purge, and fetches it. */
  matchesGeneration: (generation: unknown) => boolean
  /**
   * Whether an answer was purged after the purge of that number. Also true when that is no longer
   * known.
   */
  purgedSince: (generation: number, key: string, answer: StoredAnswer) => boolean
  announce: (request: PurgeRequest) => void
  stop: () => void
}

function parseEntry(text: string): NumberedPurge | null {
  const space = text.indexOf(' ')
  const number = text.slice(0, Math.max(space, 0))
  try {
    return generationPattern.test(number)
      ? { number: Number(number), ...purge.parse(JSON.parse(text.slice(space + 1))) }
      : null
  } catch {
    return null
  }
}

/**
 * The number of the last purge. Sets it when Redis has none, or something else in its place. Throws
 * when Redis does not keep the number; that opens the circuit breaker.
 */
async function readGeneration(client: RedisConnection['client']): Promise<number> {
  const stored = await client.get(keys.generation)
  if (stored !== null && generationPattern.test(stored)) return Number(stored)
  await (stored === null
    ? client.set(keys.generation, Date.now(), 'NX')
    : client.set(keys.generation, Date.now()))
  const reset = await client.get(keys.generation)
  if (reset === null || !generationPattern.test(reset))
    throw new Error('Redis does not keep the number of purges')
  return Number(reset)
}

/** The number of the last purge, and the logged purges after the number `known`. */
async function fetchPurges(
  redis: RedisConnection,
  known: number | null,
): Promise<{ generation: number; entries: NumberedPurge[] }> {
  const { generation, texts } = await redis.run(async (client) => {
    const current = await readGeneration(client)
    const isUpToDate = current === known
    return {
      generation: current,
      texts: isUpToDate ? [] : await client.zrangebyscore(keys.log, `(${known ?? 0}`, '+inf'),
    }
  })
  // An entry that cannot be read is left out. It may have meant anything, so it counts as a gap.
  return { generation, entries: texts.flatMap((text) => parseEntry(text) ?? []) }
}

/** The purges that this process knows of. */
function createPurgeLog(origins: Origins, onPurge: (request: PurgeRequest) => void) {
  /** The number of the last known purge; null before Redis has answered. */
  let newest: number | null = null
  /**
   * The last purges up to `newest`, without a gap. Nothing is known of the purges up to `floor`.
   */
  let recent: Array<{ number: number; matches: PurgeMatcher }> = []
  let floor = 0
  const ownIds = new Set<string>()
  const remembered = ({ number, request }: NumberedPurge) => ({
    number,
    matches: purgeMatcher(request, origins),
  })

  function add(entry: NumberedPurge): void {
    newest = entry.number
    recent.push(remembered(entry))
    if (recent.length > sharedCache.maxRememberedPurges) floor = recent.shift()?.number ?? floor
    // This process has applied its own purges already. A purge that also came through the machine's
    // `purges.db` is applied twice: in between, Redis may have delivered an answer that is older
    // than the purge.
    if (!ownIds.delete(entry.id)) onPurge(entry.request)
  }

  /** Starts from what Redis has: `entries` without a gap up to `generation`. */
  function initialize(generation: number, entries: readonly NumberedPurge[]): void {
    let first = entries.length
    for (let next = generation; entries[first - 1]?.number === next; next -= 1) first -= 1
    recent = entries.slice(first).map(remembered)
    floor = (recent[0]?.number ?? generation + 1) - 1
    newest = generation
  }

  return {
    newest: () => newest,
    addOwnId: (id: string) => void ownIds.add(id),
    isNext: ({ number }: NumberedPurge) => newest !== null && number === newest + 1,
    isNew: ({ number }: NumberedPurge) => newest === null || number > newest,
    add,
    initialize,
    /**
     * Adds what this process has missed. When some of it is no longer available, everything is
     * purged.
     */
    catchUp(generation: number, entries: readonly NumberedPurge[]): void {
      const before = newest ?? generation
      if (generation === before) return
      const missed = entries.filter(({ number }) => number > before && number <= generation)
      const isComplete =
        missed.length === generation - before &&
        missed.every(({ number }, index) => number === before + 1 + index)
      if (isComplete) return missed.forEach(add)
      recent = []
      floor = newest = generation
      ownIds.clear()
      onPurge({ all: true })
    },
    purgedSince: (generation: number, key: string, answer: StoredAnswer): boolean =>
      generation < floor ||
      newest === null ||
      generation > newest ||
      recent.some(({ number, matches }) => number > generation && matches(key, answer)),
  }
}

/** Announces purges of this process in their order. Purges wait while Redis is unavailable. */
function createAnnouncer(redis: RedisConnection) {
  let waiting: Purge[] = []
  let isSending = false

  async function sendWaiting(): Promise<void> {
    if (isSending) return
    isSending = true
    try {
      for (let [next] = waiting; next; [next] = waiting) {
        const { id } = next
        const args = [Date.now(), JSON.stringify(next), sharedCache.maxRememberedPurges]
        await redis.run((client) =>
          client.eval(announceScript, 3, keys.generation, keys.log, keys.channel, ...args),
        )
        waiting = waiting.filter((entry) => entry.id !== id)
      }
    } finally {
      isSending = false
    }
  }
  return {
    hasWaiting: () => waiting.length > 0,
    sendWaiting,
    add(entry: Purge): void {
      // When more wait than any process remembers, one purge of everything has the same effect.
      waiting =
        waiting.length >= sharedCache.maxRememberedPurges
          ? [{ id: entry.id, request: { all: true } }]
          : [...waiting, entry]
    },
  }
}

/**
 * Sends purges to the processes of other machines. The purges are numbered. A process that receives
 * a number which is not the next one, or finds another number than its own in Redis (at each read,
 * and every two seconds), fetches what it missed; what is no longer available counts as a purge of
 * everything. While Redis is unavailable, purges wait, and this process shares nothing.
 */
export function startSharedPurges(
  redis: RedisConnection,
  origins: Origins,
  onPurge: (request: PurgeRequest) => void,
  onError: (error: unknown) => void,
): SharedPurges {
  const log = createPurgeLog(origins, onPurge)
  const announcer = createAnnouncer(redis)
  let fetches = 0
  let syncing: Promise<void> | null = null

  async function fetchMissed(): Promise<void> {
    fetches += 1
    const { generation, entries } = await fetchPurges(redis, log.newest())
    if (log.newest() !== null) {
      log.catchUp(generation, entries)
      return
    }
    // Unless the first attempt succeeds, this process may have stored answers that were purged
    // meanwhile.
    if (fetches > 1) onPurge({ all: true })
    log.initialize(generation, entries)
  }

  const sync = (): Promise<void> =>
    (syncing ??= fetchMissed()
      .then(announcer.sendWaiting)
      .catch(onError)
      .finally(() => (syncing = null)))

  const timer = setInterval(() => void sync(), sharedCache.checkIntervalMs)
  timer.unref()
  redis.onRecovered(() => void sync())
  redis.subscribe(
    keys.channel,
    (message) => {
      const entry = parseEntry(message)
      if (entry && log.isNext(entry)) log.add(entry)
      else if (!entry || log.isNew(entry)) void sync()
    },
    () => void sync(),
  )

  return {
    generation: () => (announcer.hasWaiting() ? null : log.newest()),
    matchesGeneration(generation) {
      const known = log.newest()
      if (known !== null && generation === String(known)) return true
      void sync()
      return false
    },
    purgedSince: log.purgedSince,
    announce(request) {
      const id = randomUUID()
      log.addOwnId(id)
      announcer.add({ id, request })
      announcer.sendWaiting().catch(onError)
    },
    stop: () => clearInterval(timer),
  }
}
