import type { CacheEntry } from '../cache/answer-cache'
import { sizeOfAnswer } from '../cache/stored-answer'
import { splitTarget } from '../url/decode-path'
import type { OpsHandler, OpsServices } from './ops-call'

const defaultLimit = 100
const maxLimit = 1000

function readLimit(query: string): number {
  const limit = Number(new URLSearchParams(query).get('limit') ?? defaultLimit)
  return Number.isInteger(limit) && limit >= 0 ? Math.min(limit, maxLimit) : defaultLimit
}

/** An entry as the listing shows it: `age` and `ttl` in seconds, `forms` in bytes by encoding. */
function describeEntry(key: string, entry: CacheEntry, now: number) {
  const { answer } = entry.prepared
  return {
    key,
    status: answer.status,
    tags: answer.tags,
    bytes: sizeOfAnswer(answer),
    hits: entry.hits,
    failed: entry.renewalFailed,
    age: Math.round((now - answer.storedAt) / 1000),
    ttl: Math.floor((entry.expiresAt - now) / 1000),
    forms: {
      identity: answer.body.length,
      ...Object.fromEntries(
        Object.values(answer.encoded).map(({ body, etagSuffix }) => [etagSuffix, body.length]),
      ),
    },
  }
}

/**
 * `GET /_ops/cache?limit=`: totals and limits of the page cache, hits and misses since the start,
 * and the entries with the most hits (100 unless `limit` says otherwise, 1000 at most).
 */
export function cacheListing({ cache }: Pick<OpsServices, 'cache'>): OpsHandler {
  return (request) => {
    const limit = readLimit(splitTarget(request.url ?? '').query)
    const now = Date.now()
    const stats = cache.stats()
    const lookups = stats.hits + stats.misses
    return {
      enabled: cache.enabled,
      ...stats,
      hitRatio: lookups === 0 ? null : Math.round((stats.hits / lookups) * 10_000) / 10_000,
      listed: cache
        .list()
        .sort((a, b) => b.entry.hits - a.entry.hits)
        .slice(0, limit)
        .map(({ key, entry }) => describeEntry(key, entry, now)),
    }
  }
}
