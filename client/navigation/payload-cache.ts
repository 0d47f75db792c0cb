import { prefetch } from '../../shared/constants'
import { payloadUrl, type Payload } from '../../shared/payload'
import { toRecord } from '../platform/to-record'
import { addressOf } from './history-entry'

export type PageAddress = Pick<URL, 'pathname' | 'search'>
type Priority = 'high' | 'low'
type GetOptions = {
  priority?: Priority
  /** Ends this call only; the request is aborted when no caller waits for it any more. */
  signal?: AbortSignal
}
export type PayloadCache = {
  /**
   * The payload of a page: fresh, already requested, or requested now. Rejects when no answer
   * arrives or the answer is not a payload.
   */
  get: (page: PageAddress, options?: GetOptions) => Promise<Payload>
  /** Whether a payload is kept or requested. */
  has: (page: PageAddress) => boolean
  /** Whether `get` answers from a payload that is kept or requested. */
  isFresh: (page: PageAddress) => boolean
}
type Options = {
  fetch: typeof globalThis.fetch
  buildId: string
  /** ms since a fixed moment. */
  now: () => number
  isOffline: () => boolean
}
type Entry = {
  answer: Promise<Payload>
  createdAt: number
  controller: AbortController
  /** Calls that wait for the answer. */
  waiters: number
  isSettled: boolean
}

/** Rejects answers that are not payloads, such as the error page of a proxy. */
function parsePayload(value: unknown): Payload {
  const { buildId, route, redirect, statusCode } = toRecord(value)
  const isPayload =
    typeof buildId === 'string' &&
    (typeof route === 'string' || typeof redirect === 'object' || statusCode === 404)
  if (!isPayload) throw new Error('the answer is not a payload')
  // Cast: the server of this build wrote it; of another build's payload only the id is read.
  return value as Payload
}

async function requestPayload(
  { fetch, buildId }: Pick<Options, 'fetch' | 'buildId'>,
  page: PageAddress,
  priority: Priority,
  signal: AbortSignal,
): Promise<Payload> {
  const response = await fetch(payloadUrl(page.pathname, page.search, buildId), {
    headers: { Accept: 'application/json' },
    // Revalidated each time, usually with a 304: `stale-while-revalidate` is meant for shared
    // caches and would let a browser show a page of yesterday.
    cache: 'no-cache',
    priority,
    signal,
  })
  if (!response.ok && response.status !== 404) throw new Error(`answered ${response.status}`)
  return parsePayload(await response.json())
}

/** Waits for the answer of an entry. `onAbandoned` runs when the last waiting call is aborted. */
function waitFor(
  entry: Entry,
  signal: AbortSignal | undefined,
  onAbandoned: () => void,
): Promise<Payload> {
  entry.waiters += 1
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      entry.waiters -= 1
      if (entry.waiters === 0 && !entry.isSettled) onAbandoned()
      reject(new DOMException('the call was aborted', 'AbortError'))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    entry.answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
  })
}

/**
 * Payloads of pages, kept for an hour; at most 50 of them, the least recently used is dropped
 * first. A payload carries the page's redirect, so an answer under a minute old is also the
 * redirect look-up of a navigation (spec 7.2); an older one is requested again. Without a network
 * there is nothing to ask, and the kept payload answers.
 */
export function createPayloadCache({ fetch, buildId, now, isOffline }: Options): PayloadCache {
  const entries = new Map<string, Entry>()

  function find(key: string, maxAgeMs: number): Entry | undefined {
    const entry = entries.get(key)
    return !entry?.isSettled || now() - entry.createdAt < maxAgeMs ? entry : undefined
  }
  const findFresh = (key: string): Entry | undefined =>
    find(key, isOffline() ? prefetch.ttlMs : prefetch.lookUpMs)
  function request(key: string, page: PageAddress, priority: Priority): Entry {
    const controller = new AbortController()
    const entry: Entry = {
      answer: requestPayload({ fetch, buildId }, page, priority, controller.signal),
      createdAt: now(),
      controller,
      waiters: 0,
      isSettled: false,
    }
    const drop = (): void => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    entry.answer.then((payload) => {
      entry.isSettled = true
      // A missing page may be published later; answers of another build must not be shown.
      if ('statusCode' in payload || payload.buildId !== buildId) drop()
    }, drop)
    return entry
  }
  return {
    has: (page) => find(addressOf(page), prefetch.ttlMs) !== undefined,
    isFresh: (page) => findFresh(addressOf(page)) !== undefined,
    get(page, { priority = 'high', signal } = {}) {
      const key = addressOf(page)
      const entry = findFresh(key) ?? request(key, page, priority)
      // Deleted first, so that the most recently used entry is the last of the map.
      entries.delete(key)
      entries.set(key, entry)
      const [oldest] = entries.keys()
      if (entries.size > prefetch.maxEntries && oldest !== undefined) entries.delete(oldest)
      return waitFor(entry, signal, () => {
        entries.delete(key)
        entry.controller.abort()
      })
    },
  }
}
