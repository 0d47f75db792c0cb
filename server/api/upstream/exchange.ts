import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostName } from '../../../shared/i18n/locales'
import { fetchRetryStatuses, upstream } from '../../../shared/constants'
import { SiteError } from '../../errors'
import { note } from '../../telemetry/logger'
import { traced, type Tracing } from '../../telemetry/tracing'
import type { Hosts } from '../../url/hosts'
import { upstreamPlace, type UpstreamPlace } from './answer-headers'
import { createAskUpstream, type AskUpstream } from './ask-upstream'
import { passAnswer } from './pass-answer'
import { connectTimeoutCode } from './upstream-agent'

/** The operator's backend as the proxy reaches it. */
export type Upstream = { place: UpstreamPlace; ask: AskUpstream; close: () => void }

export function createUpstream(address: string): Upstream {
  const place = upstreamPlace(address)
  return { place, ...createAskUpstream(place) }
}

/** What a visitor hears of a failure: one of two texts of the catalogue. The cause is for the log. */
function asSiteError(error: unknown): SiteError {
  if (error instanceof SiteError) return error
  const code =
    error !== null && typeof error === 'object' && 'code' in error ? error.code : undefined
  return Object.assign(
    new SiteError(code === connectTimeoutCode ? 'upstreamTimeout' : 'upstreamFailed'),
    { cause: error },
  )
}

/** The upstream's time (decisions 10): so long until its first byte, so long until an answer that is held back is whole. */
function createClock(stop: AbortController) {
  let began: number | null = null
  let timer: NodeJS.Timeout | undefined
  const until = (total: number): void => {
    began ??= performance.now()
    clearTimeout(timer)
    timer = setTimeout(
      () => stop.abort(new SiteError('upstreamTimeout')),
      began + total - performance.now(),
    )
  }
  return {
    asked: () => until(upstream.firstByteTimeout),
    answered: () => until(upstream.answerTimeout),
    end: () => clearTimeout(timer),
  }
}

/**
 * One request of a visitor to the upstream and back, within 3.5 s unless its answer streams. A GET is tried once more when the first try
 * failed or was answered with one of the statuses of spec section 7, while there is time. Rejects with what the visitor is to be told;
 * resolves silently when the visitor has gone. `observe` hears how each try went and how long its first byte took; where there is tracing each try is a span, which
 * the upstream continues.
 */
export function createExchange(
  { place, ask }: Upstream,
  hosts: Hosts,
  cookieDomain: string,
  observe: (outcome: string, milliseconds: number) => void = () => undefined,
  tracing: Tracing | null = null,
) {
  return async function exchange(
    request: IncomingMessage,
    response: ServerResponse,
    stop: AbortController,
    { host, asked }: { host: HostName; asked: string },
  ): Promise<void> {
    const method = request.method ?? 'GET'
    const hasBody =
      request.headers['transfer-encoding'] !== undefined ||
      Number(request.headers['content-length'] ?? 0) > 0
    const repeatable = (method === 'GET' || method === 'HEAD') && !hasBody
    const clock = createClock(stop)
    note(response, { route: 'upstream' })

    async function attempt(last: boolean): Promise<'done' | 'again'> {
      // A visitor's slow body is no fault of the upstream: its time begins when it has all of it.
      if (hasBody) request.once('end', clock.asked)
      else clock.asked()
      const began = performance.now()
      const took = (outcome: string): void => observe(outcome, performance.now() - began)
      const answer = await traced(
        tracing,
        'upstream',
        () => {
          Object.assign(request.headers, tracing?.onwards())
          return ask(request, stop.signal)
        },
        true,
      ).catch((error: unknown) => {
        took(
          stop.signal.reason instanceof SiteError
            ? stop.signal.reason.error
            : response.destroyed
              ? 'gone'
              : asSiteError(error).error,
        )
        throw error
      })
      took(`${Math.floor((answer.statusCode ?? 0) / 100)}xx`)
      if (!last && fetchRetryStatuses.includes(answer.statusCode ?? 0)) {
        answer.destroy()
        return 'again'
      }
      clock.answered()
      await passAnswer(answer, method, response, stop.signal, {
        place,
        hosts,
        host,
        asked,
        cookieDomain,
      })
      return 'done'
    }

    try {
      const first = await attempt(!repeatable).catch((error: unknown) => {
        if (!repeatable || stop.signal.aborted || error instanceof SiteError) throw error
        return 'again' as const
      })
      if (first === 'again') await attempt(true)
    } catch (error) {
      if (!response.destroyed) throw asSiteError(error)
    } finally {
      request.off('end', clock.asked)
      clock.end()
    }
  }
}
