import { z } from 'zod'
import { indexNow } from '../../../shared/constants'
import { hostNames, type HostName } from '../../../shared/i18n/locales'
import { beginAttempt, endAttempt, formBatches, nextAttempt } from '../../db/announcement-store'
import type { Database } from '../../db/database'
import type { Lease } from '../../db/leases'
import type { Settings } from '../../env'
import type { Logger } from '../../telemetry/logger'
import type { Hosts } from '../../url/hosts'

type Services = {
  database: Database
  lease: Lease
  hosts: Pick<Hosts, 'origins'>
  settings: Pick<Settings, 'INDEXNOW_KEY' | 'INDEXNOW_ENDPOINT'>
  log: Logger
}
/** The answer to a POST; no status when none arrived. */
type Answer = { status: number | null; error: string; retryAfterMs: number }

const noAnswer = (error: unknown): Answer => ({
  status: null,
  error: error instanceof Error ? error.message : String(error),
  retryAfterMs: 0,
})

/** `Retry-After` in seconds. A date is as good as absent: the back-off decides. */
const retryAfter = z.coerce.number().int().nonnegative().catch(0)

/** Sends one list of URLs, as https://www.indexnow.org/documentation says. */
async function post(
  { INDEXNOW_KEY: key, INDEXNOW_ENDPOINT: endpoint }: Services['settings'],
  origin: string,
  urlList: readonly string[],
): Promise<Answer> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({
        host: new URL(origin).host,
        key,
        keyLocation: `${origin}/${key}.txt`,
        urlList,
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(indexNow.timeoutMs),
    })
    await response.body?.cancel()
    const retryAfterMs = 1000 * retryAfter.parse(response.headers.get('retry-after') ?? 0)
    const error = response.ok ? '' : `answered ${response.status}`
    return { status: response.status, error, retryAfterMs }
  } catch (error) {
    return noAnswer(error)
  }
}

/**
 * A list that the protocol does not accept stays unacceptable. 403 is tried again, because it also
 * means that the key file could not be fetched at that moment.
 */
const isFinal = ({ status }: Answer): boolean =>
  status !== null && status >= 400 && status < 500 && ![403, 408, 425, 429].includes(status)

const backOffMs = (attempts: number): number =>
  Math.min(indexNow.firstRetryMs * 4 ** (attempts - 1), indexNow.maxRetryMs)

/** Sends what waits, in batches by host. */
export function createSender({ database, lease, hosts, settings, log }: Services) {
  /** Sends the oldest batch that is due. False when there is none. */
  async function sendNext(): Promise<boolean> {
    const { timeoutMs, maxAttempts, maxRetryMs } = indexNow
    const batch = await beginAttempt(database, lease, Date.now() + 2 * timeoutMs)
    if (!batch) return false
    const { id, host, urls, attempts } = batch
    // A batch whose URLs were deleted has nothing to send any more.
    const answer: Answer =
      batch.list.length === 0
        ? { status: null, error: 'its URLs were deleted', retryAfterMs: 0 }
        : await post(settings, hosts.origins[host], batch.list)
    const isAccepted = answer.error === ''
    const ends = isAccepted || isFinal(answer) || attempts >= maxAttempts || batch.list.length === 0
    const waitMs = Math.min(Math.max(backOffMs(attempts), answer.retryAfterMs), maxRetryMs)
    const { status, error } = answer
    await endAttempt(database, id, { status, error, next_at: ends ? null : Date.now() + waitMs })
    const fields = { host, urls, attempts, ...answer }
    if (isAccepted) log.info(fields, 'changed URLs were announced')
    else if (ends) log.error(fields, 'changed URLs could not be announced')
    else log.warn({ ...fields, waitMs }, 'changed URLs will be announced again')
    return true
  }

  /** Sends all that is due. Resolves to the time of the next attempt, or null. */
  return async function sendDue(): Promise<number | null> {
    await formBatches(
      database,
      lease,
      hostNames satisfies readonly HostName[],
      indexNow.maxUrlsPerPost,
    )
    while (await sendNext());
    return nextAttempt(database)
  }
}
