import type { Pool } from 'undici'
import { z } from 'zod'
import { fetchRetryStatuses, upstream } from '../../../shared/constants'

/** Reads one call of the upstream: its data, checked by a schema. Rejects when it fails within the budget, one repetition included. */
export type ReadUpstream = <T>(
  path: string,
  query: Readonly<Record<string, string>>,
  data: z.ZodType<T>,
) => Promise<T>

/** What the server itself reads of the operator's backend: over connections that are kept, 2 s in all, tried once more where that can help. */
export function createReadUpstream(address: string): { read: ReadUpstream; close: () => void } {
  const { origin, pathname } = new URL(address)
  const base = pathname.replace(/\/+$/, '')
  let opened: Promise<Pool> | null = null
  const open = async (): Promise<Pool> =>
    new (await import('undici')).Pool(origin, {
      connections: 4,
      keepAliveTimeout: 4000,
      connect: { timeout: upstream.connectTimeout },
      headersTimeout: upstream.budget,
      bodyTimeout: upstream.budget,
    })

  async function once(path: string, signal: AbortSignal): Promise<string> {
    const { statusCode, body } = await (
      await (opened ??= open())
    ).request({ path, method: 'GET', signal, headers: { accept: 'application/json' } })
    const chunks: Buffer[] = []
    let size = 0
    // Read to the end even of a failure: the connection is used again.
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > upstream.heldBytes) throw new Error('the answer is too large')
      chunks.push(chunk)
    }
    if (statusCode !== 200)
      throw Object.assign(new Error(`status ${statusCode}`), {
        final: !fetchRetryStatuses.includes(statusCode),
      })
    return Buffer.concat(chunks).toString('utf8')
  }

  return {
    async read(path, query, data) {
      const signal = AbortSignal.timeout(upstream.budget)
      const target = `${base}${path}?${new URLSearchParams(query)}`
      const text = await once(target, signal).catch((error: unknown) => {
        if (signal.aborted || (error instanceof Error && 'final' in error && error.final === true))
          throw error
        return once(target, signal)
      })
      return z.object({ code: z.literal(0), data }).parse(JSON.parse(text)).data
    },
    close: () => void opened?.then((pool) => pool.destroy()),
  }
}
