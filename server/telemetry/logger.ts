import { statfsSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import pino from 'pino'
import { maskText } from './logged-path'

export type Logger = pino.Logger

/**
 * Fields of a request's log line besides method, host, path, status, duration and bytes. The rows
 * of the pipeline add them.
 */
export type RequestContext = { id: string; route?: string; locale?: string; cache?: string }

/**
 * Found by the response and not by an async context: with AsyncLocalStorage every answer of the
 * process takes a seventh longer, also those that never read it.
 */
const contexts = new WeakMap<ServerResponse, RequestContext>()

export const setRequestContext = (response: ServerResponse, context: RequestContext): void =>
  void contexts.set(response, context)

/** Adds fields to the log line of a request. Does nothing for a response without a context. */
export function addLogFields(response: ServerResponse, fields: Partial<RequestContext>): void {
  const context = contexts.get(response)
  if (context) Object.assign(context, fields)
}

/**
 * The field by which all log lines of one request are found: `log.error({
 * ...requestIdField(response), err }, '…')`.
 */
export function requestIdField(response: ServerResponse): { id?: string } {
  const context = contexts.get(response)
  return context ? { id: context.id } : {}
}

/**
 * Lines are written in blocks: at 64 KiB, every 100 ms, at a fatal line and at exit. One write per
 * line would cost as much as a cached page. When the reader of a pipe stops reading, at most 16 MiB
 * wait; further lines are dropped.
 */
const bufferOptions = {
  minLength: 64 * 1024,
  maxWrite: 256 * 1024,
  maxLength: 16 * 1024 * 1024,
  periodicFlush: 100,
  sync: false,
}

/**
 * Pino adds up all waiting bytes for each write it is given, so it is given this many characters at
 * once.
 */
const batchChars = 16 * 1024

const destinations = new WeakMap<Logger, pino.DestinationStream>()
/** Where a logger of this module writes; undefined for any other logger. */
export const destinationOf = (log: Logger): pino.DestinationStream | undefined =>
  destinations.get(log)

/** Whether the disk has room for all lines that may wait. Always true for a pipe or a terminal. */
function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(file)
    return !statSync(file).isFile() || bavail * bsize > bufferOptions.maxLength
  } catch {
    return true
  }
}

/**
 * Standard output (an empty name), or a file that several processes may append to: each write holds
 * whole lines. When the disk is full, lines wait until there is room again; beyond the bound they
 * are dropped, and the process continues.
 */
export function logDestination(file: string): pino.DestinationStream {
  const destination = pino.destination({
    dest: file === '' ? 1 : file,
    mkdir: true,
    ...bufferOptions,
  })
  // Without a listener, the first failed write would end the process. The lines stay in the buffer
  // and are written later.
  destination.on('error', () => undefined)
  const original = {
    write: destination.write.bind(destination),
    flush: destination.flush.bind(destination),
    flushSync: destination.flushSync.bind(destination),
  }
  let batch = ''
  function writeBatch(): void {
    const lines = batch
    batch = ''
    if (lines !== '') original.write(lines)
  }
  destination.write = (line) => {
    batch += line
    if (batch.length >= batchChars) writeBatch()
    return true
  }
  destination.flush = (done) => {
    writeBatch()
    original.flush(done)
  }
  // Called at a fatal line and at exit. On a full disk it would retry forever, and the process
  // could not end and be replaced.
  destination.flushSync = () => {
    writeBatch()
    if (hasRoom(file === '' ? '/proc/self/fd/1' : file)) original.flushSync()
  }
  return destination
}

/** An error as it is logged: messages of libraries may hold what a visitor sent. */
const serializeError = (error: Error): object =>
  Object.fromEntries(
    Object.entries(pino.stdSerializers.err(error)).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? maskText(value) : value,
    ]),
  )

/**
 * Logs JSON lines. Credentials, cookies, tokens and headers are removed from every logged object,
 * e-mail addresses and preview links from every logged error.
 */
export function createLogger(
  level: string,
  destination: pino.DestinationStream = logDestination(''),
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
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
