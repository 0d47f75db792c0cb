import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { LocaleCode } from '../../shared/i18n/locales'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import type { SearchResult } from '../../shared/search-result'
import type { SearchRequest } from './search-content'
import type { Question, Reply } from './worker'

export type SearchOptions = {
  /** Built file of the search thread, and the content database it reads. */
  script: string
  database: string
  log: Logger
  /** Called for a query that finds nothing, so that an operator learns what visitors miss. */
  onMiss: (locale: LocaleCode, query: string) => void
}
export type SearchService = ReturnType<typeof createSearch>

/** Searches that wait for the thread, at most; a search that is not done after so long (ms) is given up and the thread replaced. */
const longestQueue = 64
const timeout = 2000
/** Results that are kept: several visitors type the same words, and one goes back and forth. */
const keptResults = 500
/** Suggestions wait for nobody: with more than this in the queue a page goes without them. */
const idleQueue = 4

type Waiting = {
  request: SearchRequest
  key: string
  signal: AbortSignal | undefined
  resolve: (result: SearchResult) => void
  reject: (error: Error) => void
}

/**
 * The search as the server sees it: one thread, one question at a time, a bounded queue before it. A question whose client has gone is never
 * asked. A full queue, a broken or a stuck thread is answered with 503; the thread is started again, and pages don't notice.
 */
export function createSearch({ script, database, log, onMiss }: SearchOptions) {
  const results = new LRUCache<string, SearchResult>({ max: keptResults })
  const queue: Waiting[] = []
  let worker: Worker | null = null
  let asked: (Waiting & { id: number; timer: NodeJS.Timeout }) | null = null
  let lastId = 0
  let generation = 0
  let closed = false

  function start(): Worker {
    const started = new Worker(script, { workerData: database })
    // The process may end while a thread waits for questions.
    started.unref()
    started.on('message', (reply: Reply) => answered(started, reply))
    started.on('error', (error) => log.error({ err: error }, 'the search thread failed'))
    started.on('exit', () => lost(started))
    return started
  }

  function settle(): Waiting | null {
    const done = asked
    if (done) clearTimeout(done.timer)
    asked = null
    return done
  }

  function answered(from: Worker, reply: Reply): void {
    if (from !== worker || reply.id !== asked?.id) return
    const done = settle()
    if ('error' in reply) {
      log.error({ reason: reply.error }, 'a search failed')
      done?.reject(new SiteError('searchBusy'))
    } else if (done) {
      if (done.key.startsWith(`${generation} `)) results.set(done.key, reply.result)
      done.resolve(reply.result)
    }
    ask()
  }

  function lost(from: Worker): void {
    if (from !== worker) return
    worker = null
    settle()?.reject(new SiteError('searchBusy'))
    ask()
  }

  /** Hands the next question to the thread, if it is free. */
  function ask(): void {
    while (!asked && !closed) {
      const next = queue.shift()
      if (!next) return
      if (next.signal?.aborted) continue
      worker ??= start()
      const stuck = worker
      const id = (lastId += 1)
      const timer = setTimeout(() => {
        log.error(
          { milliseconds: timeout },
          'a search took too long; the search thread is replaced',
        )
        void stuck.terminate()
        lost(stuck)
      }, timeout)
      asked = { ...next, id, timer }
      worker.postMessage({ id, request: next.request } satisfies Question)
    }
  }

  function search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
    const key = `${generation} ${JSON.stringify(request)}`
    const known = results.get(key)
    if (known) return Promise.resolve(known)
    if (queue.length >= longestQueue)
      return Promise.reject(new SiteError('searchBusy', undefined, { 'Retry-After': '1' }))
    return new Promise((resolve, reject) => {
      queue.push({ request, key, signal, resolve, reject })
      ask()
    })
  }

  return {
    /** Rejects with a SiteError (503) when the search is busy. A `signal` takes the question out of the queue; then nothing is answered. */
    async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
      const result = await search(request, signal)
      if (result.total === 0) onMiss(request.locale, request.query)
      return result
    },
    /** Pages named like some words, or none when the search has better things to do or is slower than `patience` (ms). */
    async nearest(
      request: Omit<SearchRequest, 'named'>,
      patience: number,
    ): Promise<SearchResult['hits']> {
      if (queue.length >= idleQueue) return []
      const late = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise<SearchResult>((resolve) => {
        timer = setTimeout(() => {
          late.abort()
          resolve({ hits: [], total: 0 })
        }, patience)
      })
      const result = await Promise.race([
        search({ ...request, named: true }, late.signal).catch(() => ({ hits: [] })),
        tooLate,
      ])
      clearTimeout(timer)
      return result.hits
    },
    /** Questions that wait or are being answered. */
    waiting: (): number => queue.length + (asked ? 1 : 0),
    /** Content has changed: what was found before counts no more. */
    forget(): void {
      generation += 1
      results.clear()
    },
    async close(): Promise<void> {
      closed = true
      for (const { reject } of queue.splice(0)) reject(new SiteError('searchBusy'))
      settle()?.reject(new SiteError('searchBusy'))
      const running = worker
      worker = null
      await running?.terminate()
    },
  }
}
