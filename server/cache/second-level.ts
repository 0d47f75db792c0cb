import { pages, sharedCache } from '../../shared/constants'
import { RedisAway, type GuardedRedis } from '../db/connect-redis'
import { packAnswer, shortHash, unpackAnswer } from './packed-answer'
import { generationKey, type SharedPurges } from './shared-purges'
import type { StoredAnswer } from './stored-answer'

/** What an answer that is begun now is made with: the state of the content, and the last purge before it. */
export type Moment = { content: string; generation: number }

/** How looking for an answer in Redis ends: `refused` = of another time, purged or damaged; `behind` = this process has missed a purge; `away` = Redis. */
type Outcome = 'hit' | 'miss' | 'refused' | 'behind' | 'away'

export type SecondLevel = {
  /** Taken before an answer is looked for or made. Null: it can be shared with nobody. */
  begin: () => Moment | null
  /** An answer that another process has made, of this build, these settings and the content of that moment, not purged since; else null. */
  read: (key: string, moment: Moment) => Promise<StoredAnswer | null>
  /** Hands an answer on, when its content is still what it was at that moment. Nobody waits for it. */
  write: (key: string, answer: StoredAnswer, moment: Moment) => void
  counts: () => Readonly<Record<Outcome | 'stored', number>>
}

/** `stamp`: build and settings. `content`: state of all that pages show. `ttl` in ms. */
export type SecondLevelOptions = {
  redis: GuardedRedis
  purges: SharedPurges
  stamp: string
  content: () => string
  ttl: number
  now?: () => number
  onError: (error: unknown) => void
}

/** For counts where there is no second level. */
export const noCounts: ReturnType<SecondLevel['counts']> = {
  hit: 0,
  miss: 0,
  refused: 0,
  behind: 0,
  away: 0,
  stored: 0,
}

/**
 * The page cache's second level, in Redis: what one process has made serves all processes of all machines. Asked only where this process would have to make
 * an answer. Other builds, settings and contents have addresses of their own, so they never meet; purges are compared by number at every read, in the same
 * round trip, so that an answer which was begun before a purge and arrived after it is none. What comes back is not believed before it has proved itself, and
 * whatever goes wrong is a miss.
 */
export function createSecondLevel({
  redis,
  purges,
  stamp,
  content,
  ttl,
  now = Date.now,
  onError,
}: SecondLevelOptions): SecondLevel {
  const counts: Record<Outcome | 'stored', number> = { ...noCounts }
  const stampOf = (moment: Moment): string => shortHash(stamp, moment.content)
  const addressOf = (own: string, key: string): string =>
    `site:answer:${shortHash(`${own} ${key}`)}`
  /** As long as the first level would keep it (ms). */
  const lifeOf = ({ storedAt }: StoredAnswer): number =>
    Math.round(storedAt + ttl + pages.staleSeconds * 1000 - now())

  async function look(
    key: string,
    moment: Moment,
  ): Promise<{ outcome: Outcome; answer?: StoredAnswer }> {
    const own = stampOf(moment)
    const [generation, bytes] = await redis.run((client) =>
      Promise.all([
        client.get(generationKey),
        // One byte more than any of ours: what is longer is seen to be, and not fetched. What is no text at all is none of ours either.
        client
          .getrangeBuffer(addressOf(own, key), 0, sharedCache.answerBytes)
          .catch((error: unknown) => {
            if (error instanceof Error && error.message.startsWith('WRONGTYPE'))
              return Buffer.from('?')
            throw error
          }),
      ]),
    )
    if (!purges.agrees(generation)) return { outcome: 'behind' }
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return { outcome: 'miss' }
    if (bytes.length > sharedCache.answerBytes) return { outcome: 'refused' }
    const found = await unpackAnswer(bytes, { key, stamp: own }).catch((error: unknown) => {
      onError(error)
      return null
    })
    if (
      !found ||
      found.answer.storedAt > now() + sharedCache.clockSkew ||
      lifeOf(found.answer) <= 0 ||
      purges.purgedSince(found.generation, key, found.answer)
    )
      return { outcome: 'refused' }
    return { outcome: 'hit', answer: found.answer }
  }

  return {
    begin() {
      const generation = purges.generation()
      return generation === null ? null : { content: content(), generation }
    },
    async read(key, moment) {
      const { outcome, answer } = await look(key, moment).catch((error: unknown) => {
        // The breaker has told of it.
        if (!(error instanceof RedisAway)) onError(error)
        return { outcome: 'away' as const, answer: undefined }
      })
      counts[outcome] += 1
      return answer ?? null
    },
    write(key, answer, moment) {
      const life = lifeOf(answer)
      if (life <= 0 || purges.generation() === null || content() !== moment.content) return
      const own = stampOf(moment)
      const bytes = packAnswer({ key, stamp: own, generation: moment.generation }, answer)
      if (!bytes || bytes.length > sharedCache.answerBytes) return
      redis
        .run((client) => client.set(addressOf(own, key), bytes, 'PX', life))
        .then(
          () => (counts.stored += 1),
          (error: unknown) => {
            if (!(error instanceof RedisAway)) onError(error)
          },
        )
    },
    counts: () => counts,
  }
}
