import type { IncomingMessage, ServerResponse } from 'node:http'
import { SiteError } from '../errors'
import { note, requestId, type Logger } from '../telemetry/logger'
import type { AnswerCache, Entry } from './answer-cache'
import type { StaleIfErrorStore } from './stale-if-error-store'
import { prepareAnswer, type PreparedAnswer } from './prepared-answer'
import { createJobs, type Job } from './render-jobs'
import type { Moment, SecondLevel } from './second-level'
import { sendAnswer } from './send-answer'
import type { StoredAnswer } from './stored-answer'

/** Where a streaming answer goes: a response. `onClose` tells that the client has gone. */
export type Sink = {
  write: (chunk: Buffer | string) => boolean
  end: () => void
  onClose: (listener: () => void) => void
  onDrain: (listener: () => void) => void
}

/** What a callback makes: an answer that is whole, or one whose last parts come later. */
export type Produced =
  | { kind: 'whole'; page: StoredAnswer; /** False: sent, but never stored. */ storable: boolean }
  | {
      kind: 'streaming'
      status: number
      headers: Readonly<Record<string, string>>
      /** Sends the body; resolves to what may be stored, null when it was cut off. */ pipe: (
        to: Sink,
      ) => Promise<StoredAnswer | null>
    }

/** Anything that is made once and served to all: a page's HTML, its payload, an island. */
export type Answer = {
  /** Under which it is stored (`answer-keys.ts`). */
  key: string
  make: (signal: AbortSignal) => Promise<Produced>
  /** What is sent when it cannot be made. It may throw: then the catalogue's failure is sent. */
  fail: (error: unknown) => Promise<StoredAnswer>
  /** Changes what this client is sent, never what is stored. */
  dress?: (page: StoredAnswer) => StoredAnswer
}

export type ServeAnswer = (
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>

/** What those who wait for one making get: its answer, or the failure that it ended in. */
type Shared = { page: StoredAnswer } | { failure: unknown }

/** What an answer was begun with: purges of this process, and what it can be shared by (null: with nobody). */
type Start = { mark: number; moment: Moment | null }

const text = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined
/** A renewal streams to nobody. */
const nowhere: Sink = {
  write: () => true,
  end: () => undefined,
  onClose: () => undefined,
  onDrain: () => undefined,
}

/**
 * Serves answers: from the cache, from another request's work, or made now. One making a key at a time; the others wait
 * for it. A stale one is served while it is made anew, and for a day more when that fails; one that is in no cache and
 * cannot be made comes from its last good copy on disk. Before one is made, the second level is asked, where there is one.
 */
export function createAnswerServer({
  cache,
  frozen,
  second,
  log,
}: {
  cache: AnswerCache
  frozen: StaleIfErrorStore
  second: SecondLevel | null
  log: Logger
}): ServeAnswer {
  const jobs = createJobs<Shared>()
  function begin(): Start {
    // It may find that content has changed, which purges: asked for before the mark.
    const moment = (cache.enabled && second?.begin()) || null
    return { mark: cache.mark(), moment }
  }

  function send(
    { dress }: Answer,
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    prepared: PreparedAnswer,
    cacheStatus: string,
  ): void {
    const dressed = dress ? dress(prepared.answer) : prepared.answer
    const sent = dressed === prepared.answer ? prepared : prepareAnswer(dressed)
    sendAnswer(
      {
        method,
        acceptEncoding: text(headers['accept-encoding']),
        ifNoneMatch: headers['if-none-match'],
      },
      response,
      sent,
      cacheStatus,
      String(response.getHeader('X-Request-Id') ?? ''),
    )
  }

  /** Stores what is complete: pages, and in the small store what is not found. A page that is gone has no copy to come back from. */
  function keep(key: string, page: StoredAnswer, { mark, moment }: Start): Entry | null {
    if (page.status === 404) void frozen.forget(key)
    return page.status === 200 || page.status === 404
      ? cache.store(key, page, mark, (finished) => moment && second?.write(key, finished, moment))
      : null
  }

  /** Sends an answer whose last parts are late, and stores it once it is whole. */
  async function sendStreaming(
    { key }: Answer,
    response: ServerResponse,
    { status, headers, pipe }: Extract<Produced, { kind: 'streaming' }>,
    start: Start,
  ): Promise<StoredAnswer | null> {
    response.writeHead(status, {
      ...headers,
      'Cache-Status': cache.enabled ? 'site; fwd=miss; stored' : 'site; fwd=bypass',
    })
    const page = await pipe({
      write: (chunk) => response.write(chunk),
      end: () => response.end(),
      onClose: (listener) => response.on('close', () => !response.writableFinished && listener()),
      onDrain: (listener) => response.once('drain', listener),
    })
    if (page) keep(key, page, start)
    return page
  }

  /** The last good copy, else what the answer itself says to its failure. Those who wait get the same. */
  async function sendFailure(
    answer: Answer,
    request: IncomingMessage,
    response: ServerResponse,
    error: unknown,
  ): Promise<StoredAnswer | null> {
    // That something is not there is no failure of ours.
    const expected = error instanceof SiteError && error.status < 500
    if (!expected) log.error({ ...requestId(response), err: error }, 'an answer could not be made')
    if (response.destroyed || response.headersSent) return null
    const last = cache.enabled && !expected ? await frozen.read(answer.key) : null
    if (last) {
      const entry = cache.restore(answer.key, last)
      note(response, { cache: 'stale' })
      send(answer, request, response, entry.prepared, cache.statusOf(entry))
      return null
    }
    const failed = await answer.fail(error)
    send(
      { ...answer, dress: (page) => page },
      request,
      response,
      prepareAnswer(failed),
      'site; fwd=miss',
    )
    return failed
  }

  /** An answer that another process has made, stored here as it is; null where there is none. */
  async function fetchShared(key: string, { mark, moment }: Start): Promise<Entry | null> {
    const found = moment && (await second?.read(key, moment))
    return found ? cache.store(key, found, mark) : null
  }

  async function sendShared(
    answer: Answer,
    request: IncomingMessage,
    response: ServerResponse,
    job: Job<Shared>,
    entry: Entry,
  ): Promise<void> {
    job.settle({ page: entry.prepared.answer })
    note(response, { cache: 'shared' })
    const due = cache.isDue(entry)
    send(answer, request, response, entry.prepared, cache.statusOf(entry))
    if (due) await renew(answer, response)
  }

  /** Finds or makes the answer for the first client of a key and shares it with those who wait. */
  async function lead(
    answer: Answer,
    request: IncomingMessage,
    response: ServerResponse,
    job: Job<Shared>,
    start: Start,
  ): Promise<void> {
    const elsewhere = await fetchShared(answer.key, start)
    if (elsewhere) return sendShared(answer, request, response, job, elsewhere)
    let shared: Shared | null = null
    try {
      const produced = await answer.make(job.signal)
      if (produced.kind === 'streaming') {
        const page = await sendStreaming(answer, response, produced, start)
        shared = page && { page }
        return
      }
      shared = { page: produced.page }
      const entry = produced.storable ? keep(answer.key, produced.page, start) : null
      send(
        answer,
        request,
        response,
        entry?.prepared ?? prepareAnswer(produced.page),
        !cache.enabled ? 'site; fwd=bypass' : entry ? 'site; fwd=miss; stored' : 'site; fwd=miss',
      )
    } catch (error) {
      const failed = await sendFailure(answer, request, response, error).catch(
        (failure: unknown) => {
          shared = { failure }
          throw failure
        },
      )
      shared = failed && { page: failed }
    } finally {
      job.settle(shared)
    }
  }

  /** Makes a stale answer anew for nobody in particular (`response` has been sent); whoever misses it meanwhile waits for the same work. */
  async function renew(answer: Answer, response: ServerResponse): Promise<void> {
    const start = begin()
    const { mark } = start
    cache.postpone(answer.key)
    const job = jobs.begin(`${mark} ${answer.key}`)
    let made: StoredAnswer | null = null
    try {
      const produced = await answer.make(job.signal)
      made = produced.kind === 'whole' ? produced.page : await produced.pipe(nowhere)
      if (!made || made.status >= 500) throw new Error('an answer was not renewed')
      if (!keep(answer.key, made, start) && mark === cache.mark()) cache.delete(answer.key)
    } catch (error) {
      log.error({ ...requestId(response), err: error }, 'a stale answer could not be renewed')
      if (mark === cache.mark()) cache.postpone(answer.key, true)
    } finally {
      job.settle(made && { page: made })
    }
  }

  return async function serveAnswer(answer, request, response): Promise<void> {
    const known = cache.get(answer.key)
    if (known) {
      const due = cache.isDue(known)
      note(response, { cache: due ? 'stale' : 'hit' })
      send(answer, request, response, known.prepared, cache.statusOf(known))
      if (due) await renew(answer, response)
      return
    }
    cache.miss()
    // What began before a purge is none for those who ask after it.
    const start = begin()
    const jobKey = `${start.mark} ${answer.key}`
    const waiting = cache.enabled ? jobs.join(jobKey) : null
    const job = waiting ?? jobs.begin(jobKey)
    response.on('close', () => !response.writableFinished && job.leave())
    note(response, { cache: waiting ? 'collapsed' : cache.enabled ? 'miss' : 'bypass' })
    if (!waiting) return lead(answer, request, response, job, start)
    const shared = await job.done
    if (response.destroyed) return
    if (!shared) return serveAnswer(answer, request, response)
    if ('failure' in shared) throw shared.failure
    send(answer, request, response, prepareAnswer(shared.page), 'site; fwd=miss; collapsed')
  }
}
