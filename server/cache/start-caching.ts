import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PurgeRequest } from '../../shared/console/system'
import { pages } from '../../shared/constants'
import type { Build } from '../build-info'
import { RedisUnavailable, type RedisConnection } from '../db/connect-redis'
import { settingsInPages, type Settings } from '../env'
import type { Logger } from '../telemetry/logger'
import type { Hosts } from '../url/hosts'
import { createAnswerTurns, type AnswerTurns } from './answer-turns'
import { createAnswerCache, type AnswerCache } from './answer-cache'
import type { Background } from './background-jobs'
import { shortHash } from './packed-answer'
import { openPurgeChannel, purgeMatcher } from './purges'
import { createSecondLevel, type SecondLevel } from './second-level'
import { startSharedPurges, type SharedPurges } from './shared-purges'
import { createStaleIfErrorStore, type StaleIfErrorStore } from './stale-if-error-store'

export type Caching = {
  cache: AnswerCache
  /** In which turn an answer is made that is not in the cache. */
  turns: AnswerTurns
  staleIfError: StaleIfErrorStore
  /** Null without REDIS_URL, and without a page cache. */
  secondLevel: SecondLevel | null
  /**
   * Purges here and in all other processes; returns the number of entries that this process had.
   */
  purge: (request: PurgeRequest) => number
  stop: () => Promise<void>
}

/**
 * A hash of the build and the settings that an answer is made with; copies with another stamp are
 * not used.
 */
function computeStamp({ build, settings, hosts }: CachingOptions): string {
  const settingsInStamp = Object.entries(settings)
    .filter(([name]) => settingsInPages.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return shortHash(JSON.stringify([build.id, hosts.origins, settingsInStamp]))
}

/** For the copies on disk. */
const staleIfErrorMaxBytes = 128 * 1024 * 1024

type CachingOptions = {
  settings: Settings
  build: Pick<Build, 'id'>
  hosts: Pick<Hosts, 'origins'>
  /** The content store, which reports content changes. */
  store: {
    onChange: (listener: (tags: readonly string[]) => void) => void
    generation: () => number
  }
  /** The state of all content that answers show. */
  contentState: () => string
  /** Null without REDIS_URL. */
  redis: RedisConnection | null
  background: Background
  log: Logger
}

function createStores(options: CachingOptions, stamp: string) {
  const { settings, background, log } = options
  const ttlMs = settings.PAGE_CACHE_TTL_MS
  const onCopyError = (error: unknown): void =>
    log.warn({ err: error }, 'a copy of a page could not be written or read')
  // The name of the folder until November 2026. Needed until every installation has been updated.
  void rm(join(settings.DATA_DIR, 'frozen'), { recursive: true, force: true }).catch(onCopyError)
  const staleIfError = createStaleIfErrorStore({
    folder: join(settings.DATA_DIR, 'stale-if-error'),
    stamp,
    maxBytes: staleIfErrorMaxBytes,
    maxAgeMs: ttlMs + pages.staleSeconds * 1000,
    background,
    onError: onCopyError,
  })
  const cache = createAnswerCache({
    maxBytes: settings.PAGE_CACHE_MAX_MB * 1024 * 1024,
    ttlMs,
    background,
    onCompressed: staleIfError.save,
    onError: (error) => log.error({ err: error }, 'an answer could not be compressed'),
  })
  return { staleIfError, cache }
}

/** What the machines share through Redis: purges, and the second level of the cache. */
function startSharing(
  { settings, hosts, contentState, log }: CachingOptions,
  redis: RedisConnection,
  stamp: string,
  onPurge: (request: PurgeRequest) => void,
): { purges: SharedPurges; secondLevel: SecondLevel } {
  const purges = startSharedPurges(redis, hosts.origins, onPurge, (error) => {
    // The circuit breaker logs an outage once.
    if (!(error instanceof RedisUnavailable))
      log.warn({ err: error }, 'purges do not reach the other machines now')
  })
  const secondLevel = createSecondLevel({
    redis,
    purges,
    stamp,
    contentState,
    ttlMs: settings.PAGE_CACHE_TTL_MS,
    onError: (error) => log.warn({ err: error }, 'a page could not be shared'),
  })
  return { purges, secondLevel }
}

/**
 * Starts the page cache: memory, copies on disk, what the machines share, and everything that
 * purges it.
 */
export function startCaching(options: CachingOptions): Caching {
  const { settings, hosts, store, redis, log } = options
  const stamp = computeStamp(options)
  const { cache, staleIfError } = createStores(options, stamp)
  const purgeHere = (request: PurgeRequest): number =>
    cache.purge(purgeMatcher(request, hosts.origins))
  const onPurge = (request: PurgeRequest): void =>
    log.info({ purged: purgeHere(request) }, 'purged by another process')
  const channel = openPurgeChannel(settings.DATA_DIR, onPurge, (error) =>
    log.warn({ err: error }, 'purges do not reach the other processes'),
  )
  const sharing = redis && cache.enabled ? startSharing(options, redis, stamp, onPurge) : null
  store.onChange((tags) => {
    // A row of the redirect table may start on any page, cached ones included. Content changes
    // reach every process without a purge request.
    const purged = purgeHere(tags.includes('redirects') ? { all: true } : { tags: [...tags] })
    log.info({ tags: tags.length, purged, generation: store.generation() }, 'content changed')
  })
  return {
    cache,
    turns: createAnswerTurns({ hits: cache.hitCount }),
    staleIfError,
    secondLevel: sharing?.secondLevel ?? null,
    purge(request) {
      const purged = purgeHere(request)
      channel.announce(request)
      sharing?.purges.announce(request)
      return purged
    },
    async stop() {
      channel.stop()
      sharing?.purges.stop()
      await staleIfError.whenWritten()
    },
  }
}
