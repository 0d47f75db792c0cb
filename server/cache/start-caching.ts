import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pages } from '../../shared/constants'
import type { Build } from '../build-info'
import type { ContentStore } from '../content/store'
import type { Settings } from '../env'
import type { Logger } from '../log'
import type { Hosts } from '../url/hosts'
import { createAnswerCache, type AnswerCache } from './answer-cache'
import { createFrozenCopies, type FrozenCopies } from './frozen-copies'
import { fitsPurge, openPurgeChannel, type PurgeRequest } from './purges'

export type Caching = { cache: AnswerCache; frozen: FrozenCopies; purge: (request: PurgeRequest) => number; stop: () => Promise<void> }

/** Settings that enter no answer; every other one, also one that is added later, is part of the stamp. */
const outside: readonly (keyof Settings)[] = ['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'OPS_TOKEN', 'LOG_LEVEL', 'LOG_FILE', 'AUTH_PRIVATE_KEY', 'PAGE_CACHE_TTL_MS', 'PAGE_CACHE_MAX_MB', 'RATE_SIGNIN', 'RATE_EVENTS', 'RATE_MESSAGES', 'RATE_OTHER', 'TRUST_PROXY', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_SDK_DISABLED']

/** What an answer was made with besides content: a copy with another stamp is none. */
export function stampOf({ build, settings, hosts }: { build: Pick<Build, 'id'>; settings: Settings; hosts: Pick<Hosts, 'origins'> }): string {
  const entering = Object.entries(settings).filter(([name]) => !(outside as readonly string[]).includes(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify([build.id, hosts.origins, entering])).digest('hex').slice(0, 32)
}

/** On disk at most; copies are small, and the oldest go first. */
const frozenBytes = 128 * 1024 * 1024

/** The page cache of a server: its memory, its copies on disk, and what purges it. */
export function startCaching({ settings, build, hosts, store, log }: { settings: Settings; build: Build; hosts: Hosts; store: ContentStore; log: Logger }): Caching {
  const frozen = createFrozenCopies({
    folder: join(settings.DATA_DIR, 'frozen'), stamp: stampOf({ build, settings, hosts }), maxBytes: frozenBytes, lifetime: settings.PAGE_CACHE_TTL_MS + pages.staleSeconds * 1000,
    onError: (error) => log.warn({ err: error }, 'a copy of a page could not be kept or read'),
  })
  const cache = createAnswerCache({
    maxBytes: settings.PAGE_CACHE_MAX_MB * 1024 * 1024, ttl: settings.PAGE_CACHE_TTL_MS, keep: frozen.keep,
    onError: (error) => log.error({ err: error }, 'an answer could not be compressed'),
  })
  const purgeHere = (request: PurgeRequest): number => cache.purge(fitsPurge(request, hosts.origins))
  const channel = openPurgeChannel(settings.DATA_DIR, (request) => {
    log.info({ purged: purgeHere(request) }, 'purged by another process')
  }, (error) => log.warn({ err: error }, 'purges do not reach the other processes'))
  store.onChange((tags) => {
    // A row of the redirect table may start on any page, cached ones included. Content reaches every process by itself.
    const purged = purgeHere(tags.includes('redirects') ? { all: true } : { tags: [...tags] })
    log.info({ tags: tags.length, purged, generation: store.generation() }, 'content changed')
  })
  return {
    cache,
    frozen,
    purge(request) {
      const purged = purgeHere(request)
      channel.announce(request)
      return purged
    },
    async stop() {
      channel.stop()
      await frozen.settled()
    },
  }
}
