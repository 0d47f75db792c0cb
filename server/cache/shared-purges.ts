import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sharedCache } from '../../shared/constants'
import type { Origins } from '../../shared/routes/href'
import type { GuardedRedis } from '../db/connect-redis'
import { fitsPurge, purgeRequest, type PurgeRequest } from './purges'
import type { StoredAnswer } from './stored-answer'

/** Purges as the processes of all machines know them: the number of the last one, the last of them by number, and the channel that tells of each. */
const keys = {
  generation: 'site:{purges}:generation',
  log: 'site:{purges}:log',
  channel: 'site:{purges}:channel',
}
export const generationKey = keys.generation

/**
 * Counts, notes and tells a purge in one step, so that nobody can see one without the others. A Redis that has lost its memory begins at the time of day
 * in milliseconds: above every number that was given out before.
 */
const announcing = `
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('SET', KEYS[1], ARGV[1]) end
local number = string.format('%.0f', redis.call('INCR', KEYS[1]))
local entry = number .. ' ' .. ARGV[2]
redis.call('ZADD', KEYS[2], number, entry)
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -tonumber(ARGV[3]) - 1)
redis.call('PUBLISH', KEYS[3], entry)
return number`

const purge = z.object({ id: z.string(), request: purgeRequest })
type Purge = z.infer<typeof purge>
type Numbered = Purge & { number: number }
/** As long as a time of day in milliseconds and the purges since may be. */
const wholeNumber = /^\d{1,15}$/

export type SharedPurges = {
  /** Number of the last purge that this process knows of. Null: it cannot say, so it shares nothing. */
  generation: () => number | null
  /** Whether Redis says the same. If not, this process has missed something, and looks for it. */
  agrees: (said: unknown) => boolean
  /** Whether an answer was purged after the purge of that number; true also when that cannot be told any more. */
  purgedSince: (generation: number, key: string, answer: StoredAnswer) => boolean
  announce: (request: PurgeRequest) => void
  stop: () => void
}

function readEntry(text: string): Numbered | null {
  const space = text.indexOf(' ')
  const number = text.slice(0, Math.max(space, 0))
  try {
    return wholeNumber.test(number)
      ? { number: Number(number), ...purge.parse(JSON.parse(text.slice(space + 1))) }
      : null
  } catch {
    return null
  }
}

/**
 * How purges reach the processes of other machines. Each is one number higher than the last; a process that hears a number which is not the next, or finds
 * another number than its own (at each read, and every two seconds), fetches what it missed, and where that is not to be had any more, `heard` hears "everything".
 * What cannot be announced because Redis is away is announced when it is back; until then this process shares nothing.
 */
export function startSharedPurges(
  redis: GuardedRedis,
  origins: Origins,
  heard: (request: PurgeRequest) => void,
  onError: (error: unknown) => void,
): SharedPurges {
  let known: number | null = null
  /** The last purges, without a gap up to `known`; of purges up to `floor` nothing is known. */
  let log: Array<{ number: number; fits: (key: string, answer: StoredAnswer) => boolean }> = []
  let floor = 0
  const own = new Set<string>()
  let waiting: Purge[] = []
  let announcingNow = false
  let looks = 0
  let syncing: Promise<void> | null = null

  function note({ number, id, request }: Numbered): void {
    known = number
    log.push({ number, fits: fitsPurge(request, origins) })
    if (log.length > sharedCache.purges) floor = log.shift()?.number ?? floor
    // Its own it has obeyed already. Those that came by way of the machine's file are obeyed twice: in between, an answer that is older than the purge may have come from Redis.
    if (!own.delete(id)) heard(request)
  }

  /** What Redis has, at the first look that succeeds. At the very first nothing was missed, because nothing was kept before. */
  function begin(generation: number, entries: readonly Numbered[]): void {
    if (looks > 1) heard({ all: true })
    let first = entries.length
    for (let next = generation; entries[first - 1]?.number === next; next -= 1) first -= 1
    log = entries
      .slice(first)
      .map(({ number, request }) => ({ number, fits: fitsPurge(request, origins) }))
    floor = (log[0]?.number ?? generation + 1) - 1
    known = generation
  }

  function catchUp(generation: number, entries: readonly Numbered[]): void {
    const before = known
    if (before === null) return begin(generation, entries)
    if (generation === before) return
    const missed = entries.filter(({ number }) => number > before && number <= generation)
    if (
      missed.length === generation - before &&
      missed.every(({ number }, index) => number === before + 1 + index)
    )
      return missed.forEach(note)
    log = []
    floor = known = generation
    own.clear()
    heard({ all: true })
  }

  /** The number, begun anew where there is none, or something that is none. Throws, and so opens the breaker, when Redis does not keep it. */
  async function askGeneration(client: GuardedRedis['client']): Promise<number> {
    const said = await client.get(keys.generation)
    if (said !== null && wholeNumber.test(said)) return Number(said)
    await (said === null
      ? client.set(keys.generation, Date.now(), 'NX')
      : client.set(keys.generation, Date.now()))
    const begun = await client.get(keys.generation)
    if (begun === null || !wholeNumber.test(begun))
      throw new Error('Redis keeps no number of purges')
    return Number(begun)
  }
  async function look(): Promise<void> {
    looks += 1
    const found = await redis.run(async (client) => {
      const generation = await askGeneration(client)
      return {
        generation,
        texts:
          generation === known
            ? []
            : await client.zrangebyscore(keys.log, `(${known ?? 0}`, '+inf'),
      }
    })
    // What cannot be read is a gap: it may have meant anything.
    catchUp(
      found.generation,
      found.texts.flatMap((text) => readEntry(text) ?? []),
    )
  }
  function sync(): Promise<void> {
    return (syncing ??= look()
      .then(announceWaiting)
      .catch(onError)
      .finally(() => (syncing = null)))
  }

  async function announceWaiting(): Promise<void> {
    if (announcingNow) return
    announcingNow = true
    try {
      for (let [next] = waiting; next; [next] = waiting) {
        const text = JSON.stringify(next)
        await redis.run((client) =>
          client.eval(
            announcing,
            3,
            keys.generation,
            keys.log,
            keys.channel,
            Date.now(),
            text,
            sharedCache.purges,
          ),
        )
        waiting = waiting.filter(({ id }) => id !== next.id)
      }
    } finally {
      announcingNow = false
    }
  }

  const timer = setInterval(() => void sync(), sharedCache.lookEvery)
  timer.unref()
  redis.onBack(() => void sync())
  redis.hear(
    keys.channel,
    (message) => {
      const entry = readEntry(message)
      if (entry && known !== null && entry.number === known + 1) note(entry)
      else if (!entry || known === null || entry.number > known) void sync()
    },
    () => void sync(),
  )

  return {
    generation: () => (waiting.length === 0 ? known : null),
    agrees(said) {
      if (known !== null && said === String(known)) return true
      void sync()
      return false
    },
    purgedSince: (generation, key, answer) =>
      generation < floor ||
      known === null ||
      generation > known ||
      log.some(({ number, fits }) => number > generation && fits(key, answer)),
    announce(request) {
      const id = randomUUID()
      own.add(id)
      // More than anybody remembers: "everything" says it as well.
      waiting =
        waiting.length >= sharedCache.purges
          ? [{ id, request: { all: true } }]
          : [...waiting, { id, request }]
      announceWaiting().catch(onError)
    },
    stop: () => clearInterval(timer),
  }
}
