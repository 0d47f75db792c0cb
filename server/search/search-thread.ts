import { Worker } from 'node:worker_threads'
import type { SearchResult } from '../../shared/search-result'
import { SiteError } from '../errors'
import type { Logger } from '../telemetry/logger'
import type { SearchRequest } from './searcher'
import type { Question, Reply } from './worker'

export type SearchThreadOptions = {
  /** Built file of the thread, and the content database that it reads. */
  script: string
  database: string
  log: Logger
}

/** Searches that wait for the thread; further ones are refused. */
const maxQueueLength = 64
/** A search that takes longer is ended by replacing the thread. */
const timeoutMs = 2000

type Pending = {
  request: SearchRequest
  signal: AbortSignal | undefined
  resolve: (result: SearchResult) => void
  reject: (error: Error) => void
}
type RunningSearch = Pick<Pending, 'resolve' | 'reject'> & { id: number; timer: NodeJS.Timeout }

/** Runs one search at a time in a thread, which it starts again after a failure or time-out. */
function createRunner({ script, database, log }: SearchThreadOptions) {
  let worker: Worker | null = null
  let current: RunningSearch | null = null
  let lastId = 0

  function start(): Worker {
    const started = new Worker(script, { workerData: database })
    // An idle thread does not keep the process running.
    started.unref()
    started.on('message', (reply: Reply) => {
      if (started === worker && reply.id === current?.id) handleReply(reply)
    })
    started.on('error', (error) => log.error({ err: error }, 'the search thread failed'))
    started.on('exit', () => handleExit(started))
    return started
  }

  function takeCurrent(): RunningSearch | null {
    const search = current
    clearTimeout(search?.timer)
    current = null
    return search
  }

  function handleReply(reply: Reply): void {
    const search = takeCurrent()
    if ('result' in reply) return search?.resolve(reply.result)
    log.error({ reason: reply.error }, 'a search failed')
    search?.reject(new SiteError('searchBusy'))
  }

  function handleExit(ended: Worker): void {
    if (ended !== worker) return
    worker = null
    takeCurrent()?.reject(new SiteError('searchBusy'))
  }

  function handleTimeout(stuck: Worker): void {
    log.error({ milliseconds: timeoutMs }, 'a search took too long; the search thread is replaced')
    void stuck.terminate()
    handleExit(stuck)
  }

  return {
    isBusy: (): boolean => current !== null,
    run: (request: SearchRequest): Promise<SearchResult> =>
      new Promise((resolve, reject) => {
        const running = (worker ??= start())
        const id = (lastId += 1)
        const timer = setTimeout(() => handleTimeout(running), timeoutMs)
        current = { id, timer, resolve, reject }
        running.postMessage({ id, request } satisfies Question)
      }),
    async close(): Promise<void> {
      takeCurrent()?.reject(new SiteError('searchBusy'))
      const running = worker
      worker = null
      await running?.terminate()
    },
  }
}

/**
 * Runs searches in a worker thread, one at a time, with a bounded queue. Searches whose client has
 * disconnected are skipped. When the queue is full, or the thread fails or hangs, a search rejects
 * with a `SiteError` (503).
 */
export function createSearchThread(options: SearchThreadOptions) {
  const runner = createRunner(options)
  const queue: Pending[] = []
  let isClosed = false

  function startNext(): void {
    if (isClosed || runner.isBusy()) return
    const next = queue.find(({ signal }) => !signal?.aborted)
    queue.splice(0, next ? queue.indexOf(next) + 1 : queue.length)
    if (next) void runner.run(next.request).then(next.resolve, next.reject).then(startNext)
  }

  return {
    /** Never settles when `signal` aborts before the search has started. */
    search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> {
      if (queue.length >= maxQueueLength)
        return Promise.reject(new SiteError('searchBusy', undefined, { 'Retry-After': '1' }))
      return new Promise((resolve, reject) => {
        queue.push({ request, signal, resolve, reject })
        startNext()
      })
    },
    queueLength: (): number => queue.length,
    /** Searches that wait or run. */
    pendingCount: (): number => queue.length + Number(runner.isBusy()),
    async close(): Promise<void> {
      isClosed = true
      for (const { reject } of queue.splice(0)) reject(new SiteError('searchBusy'))
      await runner.close()
    },
  }
}
