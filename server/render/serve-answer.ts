import type { IncomingMessage, ServerResponse } from 'node:http'
import { SiteError } from '../errors'
import { note, type Logger } from '../log'
import type { PageCache, StoredPage } from './page-cache'
import { createJobs, type Job } from './render-jobs'
import type { Sink } from './render-page'
import { sendPage } from './send-page'

/** What a callback makes: an answer that is whole, or one whose last parts come later. */
export type Produced =
  | { kind: 'whole'; page: StoredPage; /** False: sent, but never stored. */ storable: boolean }
  | { kind: 'streaming'; status: number; headers: Readonly<Record<string, string>>; /** Sends the body; resolves to what may be stored, null when it was cut off. */ pipe: (to: Sink) => Promise<StoredPage | null> }

/** Anything that is made once and served to all: a page's HTML, its payload, an island. */
export type Answer = {
  /** Under which it is stored (`answer-keys.ts`). */
  key: string
  make: (signal: AbortSignal) => Promise<Produced>
  /** What is sent when it cannot be made. It may throw: then the catalogue's failure is sent. */
  fail: (error: unknown) => Promise<StoredPage>
  /** Changes what this client is sent, never what is stored. */
  dress?: (page: StoredPage) => StoredPage
}

export type ServeAnswer = (answer: Answer, request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Serves answers: from the cache, from another request's work, or made now. One making a key at a time; the others wait
 * for it. What is whole is sent in the form in which it is stored.
 */
export function createAnswerServer({ cache, log }: { cache: PageCache; log: Logger }): ServeAnswer {
  const jobs = createJobs<StoredPage>()

  /** Stores what is complete; the compressed forms follow after the answer. Tells whether it is stored. */
  function keep(key: string, page: StoredPage, mark: number): boolean {
    if (page.status !== 200 || !cache.store(key, page, mark)) return false
    cache.compress(key, page).catch((error: unknown) => log.error({ err: error }, 'an answer could not be compressed'))
    return true
  }

  function send(answer: Answer, request: IncomingMessage, response: ServerResponse, page: StoredPage, cacheStatus: string): void {
    sendPage(request, response, answer.dress ? answer.dress(page) : page, cacheStatus)
  }

  /** Sends an answer whose last parts are late, and stores it once it is whole. */
  async function sendStreaming({ key }: Answer, response: ServerResponse, { status, headers, pipe }: Extract<Produced, { kind: 'streaming' }>, mark: number): Promise<StoredPage | null> {
    response.writeHead(status, { ...headers, 'Cache-Status': cache.enabled ? 'site; fwd=miss; stored' : 'site; fwd=bypass' })
    const page = await pipe({
      write: (chunk) => response.write(chunk),
      end: () => response.end(),
      onClose: (listener) => response.on('close', () => !response.writableFinished && listener()),
      onDrain: (listener) => response.once('drain', listener),
    })
    if (page) keep(key, page, mark)
    return page
  }

  /** Makes the answer for the first client of a key and shares it with those who wait. */
  async function lead(answer: Answer, request: IncomingMessage, response: ServerResponse, job: Job<StoredPage>, mark: number): Promise<void> {
    let shared: StoredPage | null = null
    try {
      const produced = await answer.make(job.signal)
      if (produced.kind === 'streaming') {
        shared = await sendStreaming(answer, response, produced, mark)
        return
      }
      shared = produced.page
      const stored = produced.storable && keep(answer.key, produced.page, mark)
      send(answer, request, response, produced.page, !cache.enabled ? 'site; fwd=bypass' : stored ? 'site; fwd=miss; stored' : 'site; fwd=miss')
    } catch (error) {
      if (!(error instanceof SiteError && error.status < 500)) log.error({ err: error }, 'an answer could not be made')
      if (!response.destroyed) sendPage(request, response, await answer.fail(error), 'site; fwd=miss')
    } finally {
      job.settle(shared)
    }
  }

  return async function serveAnswer(answer, request, response): Promise<void> {
    const known = cache.get(answer.key)
    if (known) {
      note({ cache: 'hit' })
      return send(answer, request, response, known, `site; hit; ttl=${cache.ttlOf(known)}`)
    }
    // What began before a purge is none for those who ask after it.
    const mark = cache.mark()
    const jobKey = `${mark} ${answer.key}`
    const waiting = cache.enabled ? jobs.join(jobKey) : null
    const job = waiting ?? jobs.begin(jobKey)
    response.on('close', () => !response.writableFinished && job.leave())
    note({ cache: waiting ? 'collapsed' : cache.enabled ? 'miss' : 'bypass' })
    if (!waiting) return lead(answer, request, response, job, mark)
    const page = await job.done
    if (page) return send(answer, request, response, page, 'site; fwd=miss; collapsed')
    return response.destroyed ? undefined : serveAnswer(answer, request, response)
  }
}
