import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pages } from '../../shared/constants'
import type { Build } from '../build-info'
import type { Settings } from '../env'
import type { Logger } from '../telemetry/logger'
import { RedisAway, type GuardedRedis } from '../db/connect-redis'
import type { Hosts } from '../url/hosts'
import { createAnswerCache, type AnswerCache } from './answer-cache'
import { createStaleIfErrorStore, type StaleIfErrorStore } from './stale-if-error-store'
import { fitsPurge, openPurgeChannel, type PurgeRequest } from './purges'
import { createSecondLevel, type SecondLevel } from './second-level'
import { startSharedPurges } from './shared-purges'

export type Caching = {
  cache: AnswerCache
  frozen: StaleIfErrorStore
  /** Null without REDIS_URL, and without a page cache. */ second: SecondLevel | null
  purge: (request: PurgeRequest) => number
  stop: () => Promise<void>
}

/** Settings that enter no answer; every other one, also one that is added later, is part of the stamp. */
const outside: readonly (keyof Settings)[] = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'CONTENT_DIR',
  'DATABASE_URL',
  'REDIS_URL',
  'OPS_TOKEN',
  'LOG_LEVEL',
  'LOG_FILE',
  'AUTH_PRIVATE_KEY',
  'PAGE_CACHE_TTL_MS',
  'PAGE_CACHE_MAX_MB',
  'RATE_SIGNIN',
  'RATE_EVENTS',
  'RATE_MESSAGES',
  'RATE_OTHER',
  'TRUST_PROXY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_SDK_DISABLED',
]

/** What an answer was made with besides content: a copy with another stamp is none. */
export function stampOf({
  build,
  settings,
  hosts,
}: {
  build: Pick<Build, 'id'>
  settings: Settings
  hosts: Pick<Hosts, 'origins'>
}): string {
  const entering = Object.entries(settings)
    .filter(([name]) => !(outside as readonly string[]).includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([build.id, hosts.origins, entering]))
    .digest('hex')
    .slice(0, 32)
}

/** On disk at most; copies are small, and the oldest go first. */
const frozenBytes = 128 * 1024 * 1024

export type CachingOptions = {
  settings: Settings
  build: Build
  hosts: Hosts
  /** Where content changes come from; implemented by the content store. */
  store: {
    onChange: (listener: (tags: readonly string[]) => void) => void
    generation: () => number
  }
  /** State of all that pages show. */ content: () => string
  redis: GuardedRedis | null
  log: Logger
}

/** The page cache of a server: its memory, its copies on disk, what it shares with other machines, and what purges it. */
export function startCaching({
  settings,
  build,
  hosts,
  store,
  content,
  redis,
  log,
}: CachingOptions): Caching {
  const [stamp, ttl] = [stampOf({ build, settings, hosts }), settings.PAGE_CACHE_TTL_MS]
  const frozen = createStaleIfErrorStore({
    folder: join(settings.DATA_DIR, 'frozen'),
    stamp,
    maxBytes: frozenBytes,
    lifetime: ttl + pages.staleSeconds * 1000,
    onError: (error) => log.warn({ err: error }, 'a copy of a page could not be kept or read'),
  })
  const cache = createAnswerCache({
    maxBytes: settings.PAGE_CACHE_MAX_MB * 1024 * 1024,
    ttl,
    keep: frozen.keep,
    onError: (error) => log.error({ err: error }, 'an answer could not be compressed'),
  })
  const purgeHere = (request: PurgeRequest): number =>
    cache.purge(fitsPurge(request, hosts.origins))
  const heard = (request: PurgeRequest): void =>
    log.info({ purged: purgeHere(request) }, 'purged by another process')
  const channel = openPurgeChannel(settings.DATA_DIR, heard, (error) =>
    log.warn({ err: error }, 'purges do not reach the other processes'),
  )
  const machines =
    redis && cache.enabled
      ? startSharedPurges(redis, hosts.origins, heard, (error) => {
          // An outage is one line in the log, the breaker's.
          if (!(error instanceof RedisAway))
            log.warn({ err: error }, 'purges do not reach the other machines now')
        })
      : null
  const second =
    redis && machines
      ? createSecondLevel({
          redis,
          purges: machines,
          stamp,
          content,
          ttl,
          onError: (error) => log.warn({ err: error }, 'a page could not be shared'),
        })
      : null
  store.onChange((tags) => {
    // A row of the redirect table may start on any page, cached ones included. Content reaches every process by itself.
    const purged = purgeHere(tags.includes('redirects') ? { all: true } : { tags: [...tags] })
    log.info({ tags: tags.length, purged, generation: store.generation() }, 'content changed')
  })
  return {
    cache,
    frozen,
    second,
    purge(request) {
      const purged = purgeHere(request)
      channel.announce(request)
      machines?.announce(request)
      return purged
    },
    async stop() {
      channel.stop()
      machines?.stop()
      await frozen.settled()
    },
  }
}
