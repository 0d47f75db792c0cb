import { statfsSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import pino from 'pino'

export type Logger = pino.Logger

/** What a request's line says besides method, host, path, status, duration and bytes; filled in on the way. */
export type RequestContext = { id: string; route?: string; locale?: string; cache?: string }

/** Kept beside the answer, not in an async context: Node's costs every answer of the process a seventh of its time, also those that never ask. */
const contexts = new WeakMap<ServerResponse, RequestContext>()

/** Begins what is known of a request; its answer is what it is found by. */
export const beginRequest = (response: ServerResponse, context: RequestContext): void =>
  void contexts.set(response, context)

/** Notes what the answer's log line shall say; of an answer that was not begun it notes nothing. */
export function note(response: ServerResponse, fields: Partial<RequestContext>): void {
  const context = contexts.get(response)
  if (context) Object.assign(context, fields)
}

/** What lines logged for a request bear, so that they are found together: `log.error({ ...requestId(response), err }, '…')`. */
export function requestId(response: ServerResponse): { id?: string } {
  const context = contexts.get(response)
  return context ? { id: context.id } : {}
}

/** A request id that an intermediary may hand on: anything else is replaced, so that nobody writes into the log. */
export const acceptableId = /^[A-Za-z0-9-]{8,64}$/

/**
 * How lines leave the process: gathered, and written when there are 64 KiB, every 100 ms, at a fatal line and at exit,
 * because one write a line costs as much as a cached page. A reader that stands still costs 16 MiB at most, then lines.
 * The destination counts all the bytes that wait with each line it is given, so it is given many at once (`gathered`, in characters).
 */
const gathered = 16 * 1024
const buffering = {
  minLength: 64 * 1024,
  maxWrite: 256 * 1024,
  maxLength: 16 * 1024 * 1024,
  periodicFlush: 100,
  sync: false,
}

/** Where loggers of this module write. */
const destinations = new WeakMap<Logger, pino.DestinationStream>()
export const destinationOf = (log: Logger): pino.DestinationStream | undefined =>
  destinations.get(log)

/** Whether the disk has room for all lines that may wait. What is not a regular file (a pipe, a terminal) always has. */
function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(file)
    return !statSync(file).isFile() || bavail * bsize > buffering.maxLength
  } catch {
    return true
  }
}

/**
 * Standard output, or a file that several processes may append to: each write is whole lines. A disk that is full costs lines: those that wait are written
 * when there is room again, beyond the bound they are dropped; the process goes on.
 */
export function logDestination(file: string): pino.DestinationStream {
  const destination = pino.destination({ dest: file === '' ? 1 : file, mkdir: true, ...buffering })
  // Without a listener the first line that cannot be written ends the process. Lines stay in the buffer and are tried again.
  destination.on('error', () => undefined)
  const own = {
    write: destination.write.bind(destination),
    flush: destination.flush.bind(destination),
    flushSync: destination.flushSync.bind(destination),
  }
  let lines = ''
  function handOn(): void {
    const given = lines
    lines = ''
    if (given !== '') own.write(given)
  }
  destination.write = (line) => {
    lines += line
    if (lines.length >= gathered) handOn()
    return true
  }
  destination.flush = (done) => {
    handOn()
    own.flush(done)
  }
  // At a fatal line and at exit. On a full disk it would try for ever, and a process that cannot end is not replaced.
  destination.flushSync = () => {
    handOn()
    if (hasRoom(file === '' ? '/proc/self/fd/1' : file)) own.flushSync()
  }
  return destination
}

/** JSON lines on standard output. Credentials, cookies and tokens are removed wherever an object of a request is logged. */
export function createLogger(
  level: string,
  destination: pino.DestinationStream = logDestination(''),
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: [
        '*.authorization',
        '*.cookie',
        '*["set-cookie"]',
        '*.credential',
        '*.token',
        '*.cpl',
        'headers',
        '*.headers',
      ],
      remove: true,
    },
  }
  const log = pino(options, destination)
  destinations.set(log, destination)
  return log
}
