import { prefetch } from '../../shared/constants'
import { payloadUrl, type Payload } from '../../shared/payload'

export type PageAddress = Pick<URL, 'pathname' | 'search'>
type GetOptions = {
  priority?: 'high' | 'low'
  /** Gives up this call; the request itself ends when nobody waits for it any more. */ signal?: AbortSignal
}
export type Payloads = {
  /** A page's payload: kept, on its way already, or fetched. Rejects when there is no answer or none that is a payload. */
  get: (page: PageAddress, options?: GetOptions) => Promise<Payload>
  has: (page: PageAddress) => boolean
  /** Forgets everything: the build has changed. */
  drop: () => void
}
type Options = {
  fetch: typeof fetch
  buildId: string
  /** ms since some fixed moment. */ now: () => number
}
type Entry = {
  answer: Promise<Payload>
  at: number
  controller: AbortController
  waiting: number
  settled: boolean
}

/** An answer that is no payload (a proxy's page, a failure) must not be taken for a page: these fields tell them apart. */
function parsePayload(value: unknown): Payload {
  const found = value as Partial<Record<string, unknown>> | null
  const known =
    found &&
    typeof found['buildId'] === 'string' &&
    (typeof found['route'] === 'string' ||
      typeof found['redirect'] === 'object' ||
      found['statusCode'] === 404)
  if (!known) throw new Error('the answer is no payload')
  // The build id says that our own server of this very build wrote it, or that nothing but the id will be read.
  return value as Payload
}

/** Payloads of pages, kept for an hour and at most 50 of them; the one used longest ago goes first. */
export function createPayloads({ fetch, buildId, now }: Options): Payloads {
  const entries = new Map<string, Entry>()
  const keyOf = ({ pathname, search }: PageAddress): string => pathname + search
  const fresh = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry && entry.settled && now() - entry.at >= prefetch.lifetime) {
      entries.delete(key)
      return undefined
    }
    return entry
  }
  async function request(
    page: PageAddress,
    priority: 'high' | 'low',
    signal: AbortSignal,
  ): Promise<Payload> {
    // Asked for anew each time, which is a 304 as a rule: `stale-while-revalidate` is meant for shared caches, a browser would show a day-old page by it.
    const response = await fetch(payloadUrl(page.pathname, page.search, buildId), {
      headers: { Accept: 'application/json' },
      cache: 'no-cache',
      priority,
      signal,
    })
    if (!response.ok && response.status !== 404) throw new Error(`answered ${response.status}`)
    return parsePayload(await response.json())
  }
  function begin(key: string, page: PageAddress, priority: 'high' | 'low'): Entry {
    const controller = new AbortController()
    const entry: Entry = {
      answer: request(page, priority, controller.signal),
      at: now(),
      controller,
      waiting: 0,
      settled: false,
    }
    const forget = (): void => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    entry.answer.then((payload) => {
      entry.settled = true
      // What is not there today may be there tomorrow, and what another build says is none of ours.
      if ('statusCode' in payload || payload.buildId !== buildId) forget()
    }, forget)
    return entry
  }
  return {
    has: (page) => fresh(keyOf(page)) !== undefined,
    drop: () => entries.clear(),
    get(page, { priority = 'high', signal } = {}) {
      const key = keyOf(page)
      const entry = fresh(key) ?? begin(key, page, priority)
      entries.delete(key)
      entries.set(key, entry)
      const [oldest] = entries.keys()
      if (entries.size > prefetch.entries && oldest !== undefined) entries.delete(oldest)
      entry.waiting += 1
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          entry.waiting -= 1
          if (entry.waiting === 0 && !entry.settled) {
            entries.delete(key)
            entry.controller.abort()
          }
          reject(new DOMException('given up', 'AbortError'))
        }
        signal?.addEventListener('abort', leave, { once: true })
        entry.answer
          .then(resolve, reject)
          .finally(() => signal?.removeEventListener('abort', leave))
      })
    },
  }
}
