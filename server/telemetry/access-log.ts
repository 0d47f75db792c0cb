import { destinationOf, type Logger } from './logger'

/** The line of a cached answer. `host` and `path` are as the cache knows them: they need no escaping unless the answer is a 404 or a redirect, whose path may hold anything. */
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
export type HitLog = { write: (line: HitLine) => void }

/** The logger of requests' lines. Their fields are fixed and hold no secret, so nothing has to be redacted, which takes 6 of the 7.3 µs that a line costs otherwise. */
export const createRequestLog = (log: Logger): Logger => log.child({}, { redact: [] })

const rounded = (durationMs: number): number => Math.round(durationMs * 10) / 10

/** By pino itself. */
function throughLogger(log: Logger): HitLog {
  const requests = createRequestLog(log)
  return {
    write: ({ id, method, host, path, route, locale, status, durationMs, bytes }) =>
      requests.info(
        {
          id,
          method,
          host,
          path,
          route,
          locale: locale || undefined,
          status,
          duration: rounded(durationMs),
          cache: 'hit',
          bytes,
        },
        'request',
      ),
  }
}

/**
 * Logs cached answers: the same fields in the same order as pino writes them, as one template into the logger's destination. With pino, cached pages
 * are served 0.87 times as often (Node 24.21, decision 82). Where the logger's destination is not known, pino writes the line. Null where the level leaves such lines out.
 */
export function createHitLog(log: Logger): HitLog | null {
  if (!log.isLevelEnabled('info')) return null
  const destination = destinationOf(log)
  if (!destination) return throughLogger(log)
  const { pid } = process
  let millisecond = 0
  let time = ''
  return {
    write({ id, method, host, path, route, locale, status, durationMs, bytes }) {
      const now = Date.now()
      if (now !== millisecond) {
        millisecond = now
        time = new Date(now).toISOString()
      }
      const shownPath =
        status < 400 && status !== 301 && status !== 302 ? `"${path}"` : JSON.stringify(path)
      const shownLocale = locale === '' ? '' : `"locale":"${locale}",`
      destination.write(
        `{"level":"info","time":"${time}","pid":${pid},"id":"${id}","method":"${method}","host":"${host}","path":${shownPath},"route":"${route}",${shownLocale}"status":${status},"duration":${rounded(durationMs)},"cache":"hit","bytes":${bytes},"msg":"request"}\n`,
      )
    },
  }
}
