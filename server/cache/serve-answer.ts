import { SiteError } from '../errors'
import { addressGroup, clientAddress } from '../request/client-address'
import { addLogFields, requestIdField, type Logger } from '../telemetry/logger'
import type { AnswerCache, CacheEntry } from './answer-cache'
import type {
  AnswerSource,
  CountMiss,
  ProducedAnswer,
  ServeAnswer,
  StreamSink,
} from './answer-source'
import { renewals, type AnswerTurns } from './answer-turns'
import { sendPrepared, transformAndSend, type Exchange } from './exchange'
import { prepareAnswer } from './prepared-answer'
import type { AnswerVersion, SecondLevel } from './second-level'
import { createSingleFlight, type SharedJob } from './single-flight'
import type { StaleIfErrorStore } from './stale-if-error-store'
import type { StoredAnswer } from './stored-answer'

type AnswerServices = {
  cache: AnswerCache
  countMiss: CountMiss
  /** TRUST_PROXY. */
  trustedProxies: number
  staleIfError: StaleIfErrorStore
  /** Null without Redis. */
  secondLevel: SecondLevel | null
  turns: AnswerTurns
  log: Logger
}
type Context = AnswerServices & {
  jobs: ReturnType<typeof createSingleFlight<JobResult>>
}

/** What the requests that wait for a job get: its answer, or the error that it ended with. */
type JobResult = { answer: StoredAnswer } | { error: unknown }

/**
 * The state of purges and content when an answer is begun; it decides whether the answer may be
 * stored.
 */
type StartState = {
  purgeCount: number
  /** Null: the answer cannot be shared with other processes. */
  version: AnswerVersion | null
}

/** A renewal has no client. */
const discardingSink: StreamSink = {
  write: () => true,
  end: () => undefined,
  onClose: () => undefined,
  onDrain: () => undefined,
}

/**
 * Serves answers: from the cache, from a job that another request has started, from the second
 * level, or by making them now. One job per key runs at a time. A stale answer is served while it
 * is renewed, and for another day when the renewal fails. An answer that is in no cache and cannot
 * be made comes from its last copy on disk.
 */
export function createAnswerServer(services: AnswerServices): ServeAnswer {
  const jobs = createSingleFlight<JobResult>()
  const { cache } = services
  const context: Context = { ...services, jobs }

  return async function serveAnswer(source, request, response): Promise<void> {
    const exchange = { source, request, response }
    const entry = cache.get(source.key)
    if (entry) return sendEntry(context, exchange, entry)
    return serveMiss(context, exchange)
  }
}

async function serveMiss(context: Context, exchange: Exchange): Promise<void> {
  const { cache, jobs } = context
  const { source, response } = exchange
  let job: SharedJob<JobResult> | null = null
  response.on('close', () => !response.writableFinished && job?.leave())
  for (;;) {
    cache.countMiss()
    const start = captureStart(context)
    const jobKey = jobKeyOf(source, start)
    const running = cache.enabled ? jobs.join(jobKey) : null
    job = running ?? jobs.start(jobKey)
    addLogFields(response, { cache: running ? 'collapsed' : cache.enabled ? 'miss' : 'bypass' })
    if (!running) return runJob(context, exchange, job, start)
    const result = await job.done
    if (response.destroyed) return
    if (result && 'error' in result) throw result.error
    if (result) {
      transformAndSend(exchange, prepareAnswer(result.answer), 'site; fwd=miss; collapsed')
      return
    }
    // The job had nothing to share, for example because its address made too many requests.
    const entry = cache.get(source.key)
    if (entry) return sendEntry(context, exchange, entry)
  }
}

function captureStart({ cache, secondLevel }: Context): StartState {
  // `currentVersion` may notice a content change, which purges; so the purge count is read after
  // it.
  const version = (cache.enabled && secondLevel?.currentVersion()) || null
  return { purgeCount: cache.purgeCount(), version }
}

/** A render that started before a purge must not be shared with requests that arrive after it. */
const jobKeyOf = ({ key }: AnswerSource, { purgeCount }: StartState): string =>
  `${purgeCount} ${key}`

/** Sends an entry of the cache, and renews it afterwards when that is due. */
async function sendEntry(
  context: Context,
  exchange: Exchange,
  entry: CacheEntry,
  logged?: 'shared',
): Promise<void> {
  const { cache } = context
  const isDue = cache.isRenewalDue(entry)
  addLogFields(exchange.response, { cache: logged ?? (isDue ? 'stale' : 'hit') })
  transformAndSend(exchange, entry.prepared, cache.cacheStatusOf(entry))
  if (isDue) await renew(context, exchange)
}

/**
 * Stores a 200 or a 404; anything else is not stored. A page that is gone must not come back from
 * disk.
 */
function store(
  { cache, staleIfError, secondLevel }: Context,
  key: string,
  answer: StoredAnswer,
  { purgeCount, version }: StartState,
  storable = true,
): CacheEntry | null {
  if (answer.status === 404) staleIfError.remove(key)
  if (!storable || (answer.status !== 200 && answer.status !== 404)) return null
  return cache.store(key, answer, purgeCount, (compressed) => {
    if (version) secondLevel?.write(key, compressed, version)
  })
}

/** Stores here what another process has made; null when the second level does not have it. */
async function fetchFromSecondLevel(
  { cache, secondLevel }: Context,
  key: string,
  { purgeCount, version }: StartState,
): Promise<CacheEntry | null> {
  const answer = version && (await secondLevel?.read(key, version))
  return answer ? cache.store(key, answer, purgeCount) : null
}

/**
 * Finds or makes the answer for the first request of a key, and shares it with the requests that
 * wait.
 */
async function runJob(
  context: Context,
  exchange: Exchange,
  job: SharedJob<JobResult>,
  start: StartState,
): Promise<void> {
  const entry = await fetchFromSecondLevel(context, exchange.source.key, start)
  if (entry) {
    job.settle({ answer: entry.prepared.answer })
    return sendEntry(context, exchange, entry, 'shared')
  }
  try {
    await context.countMiss(exchange.request)
  } catch (error) {
    // The requests that wait start again, because they may come from another address.
    job.settle(null)
    return sendCopy(context, exchange, start, error)
  }
  let result: JobResult | null = null
  try {
    const answer = await produceAndSend(context, exchange, job.signal, start).catch(
      // Aborted: all clients that waited for the answer have left. That is not a failure.
      (error: unknown) => (job.signal.aborted ? null : sendFailure(context, exchange, error)),
    )
    result = answer && { answer }
  } catch (error) {
    result = { error }
    throw error
  } finally {
    job.settle(result)
  }
}

/**
 * Sends the copy on disk of an entry that was evicted, to an address that may have no more answers
 * made. Throws `refusal` when there is none, or when anything was purged since.
 */
async function sendCopy(
  context: Context,
  exchange: Exchange,
  { purgeCount }: StartState,
  refusal: unknown,
): Promise<void> {
  const { cache, staleIfError } = context
  const { key } = exchange.source
  const copy = cache.enabled ? await staleIfError.read(key) : null
  const isUnpurged = copy !== null && copy.storedAt > cache.purgedAt()
  const entry = isUnpurged ? cache.store(key, copy, purgeCount) : null
  if (!entry) throw refusal
  await sendEntry(context, exchange, entry)
}

/** `Cache-Status` of an answer that was made for this request. */
function madeStatus({ cache }: Context, isStored: boolean): string {
  if (!cache.enabled) return 'site; fwd=bypass'
  return isStored ? 'site; fwd=miss; stored' : 'site; fwd=miss'
}

async function produceAndSend(
  context: Context,
  exchange: Exchange,
  signal: AbortSignal,
  start: StartState,
): Promise<StoredAnswer | null> {
  const { turns, trustedProxies } = context
  await turns.begin(addressGroup(clientAddress(exchange.request, trustedProxies)), signal)
  if (signal.aborted) return null
  const { key, produce } = exchange.source
  const produced = await produce(signal, turns.step)
  if (produced.kind === 'streaming') return sendStreaming(context, exchange, produced, start)
  await turns.step()
  const { answer, storable } = produced
  const entry = store(context, key, answer, start, storable)
  const prepared = entry?.prepared ?? prepareAnswer(answer)
  transformAndSend(exchange, prepared, madeStatus(context, entry !== null))
  return answer
}

/** Sends an answer whose last parts follow later, and stores it once it is complete. */
async function sendStreaming(
  context: Context,
  { source, response }: Exchange,
  { status, headers, pipe }: Extract<ProducedAnswer, { kind: 'streaming' }>,
  start: StartState,
): Promise<StoredAnswer | null> {
  response.writeHead(status, {
    ...headers,
    'Cache-Status': madeStatus(context, true),
  })
  const answer = await pipe({
    write: (chunk) => response.write(chunk),
    end: () => response.end(),
    onClose: (listener) => response.on('close', () => !response.writableFinished && listener()),
    onDrain: (listener) => response.once('drain', listener),
  })
  if (answer) store(context, source.key, answer, start)
  return answer
}

/**
 * Sends the last good copy, else the error answer of the source. Returns an error answer, for the
 * requests that wait; after a stale copy null, because they find it in the cache.
 */
async function sendFailure(
  context: Context,
  exchange: Exchange,
  error: unknown,
): Promise<StoredAnswer | null> {
  const { cache, staleIfError, log } = context
  const { source, response } = exchange
  // A 4xx is an expected result, for example of a page that does not exist.
  const isExpected = error instanceof SiteError && error.status < 500
  if (!isExpected)
    log.error({ ...requestIdField(response), err: error }, 'an answer could not be made')
  if (response.destroyed || response.headersSent) return null
  const copy = cache.enabled && !isExpected ? await staleIfError.read(source.key) : null
  if (copy) {
    const entry = cache.restore(source.key, copy)
    addLogFields(response, { cache: 'stale' })
    transformAndSend(exchange, entry.prepared, cache.cacheStatusOf(entry))
    return null
  }
  const answer = await source.produceError(error)
  sendPrepared(exchange, prepareAnswer(answer), madeStatus(context, false))
  return answer
}

/**
 * Makes a stale answer again. Its request has been answered already; requests that miss meanwhile
 * wait for the same job.
 */
async function renew(context: Context, { source, response }: Exchange): Promise<void> {
  const { cache, jobs, log, turns } = context
  const { key } = source
  const start = captureStart(context)
  const isUnpurged = (): boolean => start.purgeCount === cache.purgeCount()
  cache.postponeRenewal(key)
  const job = jobs.start(jobKeyOf(source, start))
  let answer: StoredAnswer | null = null
  try {
    await turns.begin(renewals)
    const produced = await source.produce(job.signal, turns.step)
    answer = produced.kind === 'whole' ? produced.answer : await produced.pipe(discardingSink)
    const storable = produced.kind !== 'whole' || produced.storable
    // A page that was made in part replaces no complete one.
    if (!answer || answer.status >= 500 || (answer.status === 200 && !storable))
      throw new Error('an answer was not renewed')
    if (!store(context, key, answer, start, storable) && isUnpurged()) cache.delete(key)
  } catch (error) {
    log.error({ ...requestIdField(response), err: error }, 'a stale answer could not be renewed')
    if (isUnpurged()) cache.postponeRenewal(key, true)
  } finally {
    job.settle(answer && { answer })
  }
}
