import type { Pool } from 'undici'
import { z } from 'zod'
import { fetchRetryStatuses, upstream } from '../../../shared/constants'
import { loadOnce } from '../../load-once'
import { parseUpstreamTarget } from './upstream-client'

/**
 * Reads the data of one call of the upstream, checked by a schema. A failure rejects after 2 s at
 * most, one retry included.
 */
export type ReadUpstream = <T>(
  path: string,
  query: Readonly<Record<string, string>>,
  data: z.ZodType<T>,
) => Promise<T>

/** The upstream answered with a status other than 200. */
export class StatusError extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`)
  }
}

/**
 * Reads from the operator's backend on behalf of the server itself, not of a visitor. At most
 * `connections` are open, and kept alive. undici is loaded with the first read.
 */
export function createUpstreamReader(
  address: string,
  connections = 4,
): { read: ReadUpstream; close: () => void } {
  const { url, basePath } = parseUpstreamTarget(address)
  let pool: Pool | null = null
  const getPool = loadOnce(async () => {
    const { Pool } = await import('undici')
    pool = new Pool(url.origin, {
      connections,
      keepAliveTimeout: 4000,
      connect: { timeout: upstream.connectTimeoutMs },
      headersTimeout: upstream.readBudgetMs,
      bodyTimeout: upstream.readBudgetMs,
    })
    return pool
  })

  async function fetchText(path: string, signal: AbortSignal): Promise<string> {
    const openedPool = await getPool()
    const { statusCode, body } = await openedPool.request({
      path,
      method: 'GET',
      signal,
      headers: { accept: 'application/json' },
    })
    const chunks: Buffer[] = []
    let size = 0
    // Error responses are read to the end too, so that the connection can be reused. A cast because
    // streams are typed as iterables of any.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > upstream.maxBufferedBytes) throw new Error('the response is too large')
      chunks.push(chunk)
    }
    if (statusCode !== 200) throw new StatusError(statusCode)
    return Buffer.concat(chunks).toString('utf8')
  }

  return {
    async read(path, query, data) {
      const signal = AbortSignal.timeout(upstream.readBudgetMs)
      const target = `${basePath}${path}?${new URLSearchParams(query)}`
      const text = await fetchText(target, signal).catch((error: unknown) => {
        const isFinal = error instanceof StatusError && !fetchRetryStatuses.includes(error.status)
        if (signal.aborted || isFinal) throw error
        return fetchText(target, signal)
      })
      return z.object({ code: z.literal(0), data }).parse(JSON.parse(text)).data
    },
    close: () => void pool?.destroy(),
  }
}
