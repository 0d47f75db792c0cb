import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'

export type Logger = pino.Logger

/** What a request's line says besides method, host, path, status, duration and bytes; filled in on the way. */
export type RequestContext = { id: string; route?: string; locale?: string; cache?: string }

const storage = new AsyncLocalStorage<RequestContext>()

/** Runs a request's work; every line logged in it bears its id. */
export const withRequest = <T>(context: RequestContext, work: () => T): T => storage.run(context, work)
export const requestContext = (): RequestContext | undefined => storage.getStore()

/** Notes what the answer's log line shall say; outside a request it does nothing. */
export function note(fields: Partial<RequestContext>): void {
  const context = storage.getStore()
  if (context) Object.assign(context, fields)
}

/** JSON lines on standard output. Credentials, cookies and tokens are removed wherever an object of a request is logged. */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const id = storage.getStore()?.id
      return id ? { id } : {}
    },
    redact: { paths: ['*.authorization', '*.cookie', '*["set-cookie"]', '*.credential', '*.token', '*.cpl', 'headers', '*.headers'], remove: true },
  }
  return destination ? pino(options, destination) : pino(options)
}
