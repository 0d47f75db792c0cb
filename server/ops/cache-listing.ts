import { sizeOfAnswer } from '../cache/stored-answer'
import { splitTarget } from '../url/decode-path'
import type { OpsCall } from './ops-call'

/** Entries of one answer of the listing, unless `limit` asks for others (at most ten times as many). */
const listed = 100

/**
 * `GET /_ops/cache?limit=`: totals with their bounds, hits and misses since the start, and the entries asked for most: key, status,
 * tags, bytes in all forms, age and remaining freshness (s), hits, forms.
 */
export const cacheListing: OpsCall['make'] =
  ({ cache }) =>
  (request) => {
    const asked = Number(
      new URLSearchParams(splitTarget(request.url ?? '').query).get('limit') ?? listed,
    )
    const limit = Number.isInteger(asked) && asked >= 0 ? Math.min(asked, listed * 10) : listed
    const now = Date.now()
    const stats = cache.stats()
    const asks = stats.hits + stats.misses
    const entries = cache
      .list()
      .sort((a, b) => b.entry.hits - a.entry.hits)
      .slice(0, limit)
      .map(({ key, entry }) => {
        const { answer } = entry.prepared
        return {
          key,
          status: answer.status,
          tags: answer.tags,
          bytes: sizeOfAnswer(answer),
          hits: entry.hits,
          failed: entry.failed,
          age: Math.round((now - answer.storedAt) / 1000),
          ttl: Math.floor((entry.expiresAt - now) / 1000),
          forms: {
            identity: answer.body.length,
            ...Object.fromEntries(
              Object.values(answer.encoded).map(({ body, validator }) => [validator, body.length]),
            ),
          },
        }
      })
    return {
      enabled: cache.enabled,
      ...stats,
      hitRatio: asks === 0 ? null : Math.round((stats.hits / asks) * 10_000) / 10_000,
      listed: entries,
    }
  }
