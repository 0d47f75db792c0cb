import { loggedPath } from './logged-path'
import { destinationOf, type Logger } from './logger'

/**
 * The log line of a cached answer. `host` and `path` equal those of a page, so they need neither
 * masking nor escaping; only the path of a 404 or a redirect may be anything.
 */
export type HitLine = {
  id: string
  method: string
  host: string
  path: string
  route: string
  locale: string
  status: number
  durationMs: number
  bytes: number
}
type HitLog = { write: (line: HitLine) => void }

/**
 * The logger of request lines. Their fields are fixed and hold no secrets, so it does not redact;
 * redaction takes 6 of the 7.3 µs that a line costs otherwise.
 */
export const createRequestLog = (log: Logger): Logger => log.child({}, { redact: [] })

const isPage = (status: number): boolean => status === 200 || status === 304
const roundDuration = (durationMs: number): number => Math.round(durationMs * 10) / 10

function createPinoHitLog(log: Logger): HitLog {
  const requests = createRequestLog(log)
  return {
    write: ({ id, method, host, path, route, locale, status, durationMs, bytes }) =>
      requests.info(
        {
          id,
          method,
          host,
          path: isPage(status) ? path : loggedPath(path),
          route,
          locale: locale || undefined,
          status,
          duration: roundDuration(durationMs),
          cache: 'hit',
          bytes,
        },
        'request',
      ),
  }
}

/**
 * Logs cached answers. It writes the fields that pino would write, in the same order, as one
 * template into the logger's destination. With pino, cached pages are served 0.87 times as often
 * (Node 24.21, decision 82). When the destination of the logger is not known, pino writes the line.
 * Null when the log level leaves request lines out.
 */
export function createHitLog(log: Logger): HitLog | null {
  if (!log.isLevelEnabled('info')) return null
  const destination = destinationOf(log)
  if (!destination) return createPinoHitLog(log)
  const { pid } = process
  let timeMs = 0
  let time = ''
  return {
    write({ id, method, host, path, route, locale, status, durationMs, bytes }) {
      const now = Date.now()
      if (now !== timeMs) {
        timeMs = now
        time = new Date(now).toISOString()
      }
      const pathJson = isPage(status) ? `"${path}"` : JSON.stringify(loggedPath(path))
      const localeField = locale === '' ? '' : `"locale":"${locale}",`
      destination.write(
        `{"level":"info","time":"${time}","pid":${pid},"id":"${id}","method":"${method}","host":"${host}","path":${pathJson},"route":"${route}",${localeField}"status":${status},"duration":${roundDuration(durationMs)},"cache":"hit","bytes":${bytes},"msg":"request"}\n`,
      )
    },
  }
}
