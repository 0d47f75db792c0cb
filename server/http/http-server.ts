import {
  createServer,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { limits } from '../../shared/constants'
import { SiteError, type ErrorName } from '../errors'
import { splitTarget } from '../url/decode-path'
import { drainConnections } from './drain-connections'
import { errorResponse } from './error-response'

/**
 * How long a refused client may go on sending. If the connection were closed at once, many clients
 * could not read the refusal.
 */
const lingerMs = 1000

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

const methodNotAllowed = (): SiteError =>
  new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' })

/**
 * The catalogue error for what the parser refused, from its error code and the first line of the
 * request.
 */
function toSiteError(
  { code, bytesParsed = 0 }: ParserError,
  { method, target, isComplete }: RequestLine,
): SiteError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new SiteError(
      method && target.length > limits.maxTargetBytes ? 'targetTooLong' : 'headersTooLarge',
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new SiteError('requestTimeout')
  // The parser refuses methods that it does not know; for a client they are simply not allowed.
  // When it has parsed more bytes, the error is about another line.
  if (code === 'HPE_INVALID_METHOD' && method && isComplete && bytesParsed <= method.length)
    return methodNotAllowed()
  return new SiteError('badRequest')
}

type RequestLine = { method: string; target: string; isComplete: boolean }

/**
 * The request line at the start of the bytes that the parser refused; an empty method when there is
 * none.
 */
function readRequestLine({ rawPacket }: ParserError): RequestLine {
  const text = rawPacket?.subarray(0, limits.maxTargetBytes + 64).toString('latin1') ?? ''
  const [, method = '', target = '/', end] =
    /^([A-Z-]{3,24}) (\S{1,})( HTTP\/1\.[01]\r?\n)?/.exec(text) ?? []
  return { method, target, isComplete: end !== undefined }
}

function refuse(socket: Duplex, error: SiteError, path: string): void {
  const { status, headers, body } = errorResponse(error, path)
  const lines = Object.entries({
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** Answers what the parser refuses, from the error catalogue like all other errors. */
function refuseParserErrors(
  server: Server,
  latestResponse: (socket: Duplex) => ServerResponse | undefined,
  onRefusal: (name: ErrorName) => void,
): void {
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: ParserError, socket) => {
    // Bytes after a refusal are ignored.
    if (refused.has(socket)) return
    // The error may concern the body of the latest request, or a request that follows it.
    const response = latestResponse(socket)
    const isHalfAnswered = response && !response.req.complete && response.headersSent
    if (error.code === 'ECONNRESET' || !socket.writable || isHalfAnswered)
      return void socket.destroy()
    refused.add(socket)
    const requestLine = readRequestLine(error)
    const siteError = toSiteError(error, requestLine)
    const { path } = splitTarget(requestLine.target)
    onRefusal(siteError.error)
    // The answer to an earlier request is sent first.
    if (response?.req.complete && !response.writableFinished)
      response.once('close', () => refuse(socket, siteError, path))
    else refuse(socket, siteError, path)
  })
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy())
    refuse(socket, methodNotAllowed(), splitTarget(request.url ?? '/').path)
  })
}

export type HttpServer = {
  server: Server
  /** The number of open connections. */
  connections: () => number
  /**
   * Accepts no more connections and closes the open ones without losing a request. Closes what
   * remains after `timeoutMs`.
   */
  drain: (timeoutMs: number) => Promise<void>
}

/**
 * The HTTP server with the limits of spec 10.1: time for headers and bodies, idle time, sizes.
 * `onRefusal` gets the error name of each request that the parser refuses. The parser accepts
 * larger targets and headers than allowed, up to a limit, so that the pipeline can tell which of
 * the two is too large.
 */
export function createHttpServer(
  listener: RequestListener,
  onRefusal: (name: ErrorName) => void = () => undefined,
): HttpServer {
  const latestResponses = new WeakMap<Duplex, ServerResponse>()
  const latestResponse = (socket: Duplex): ServerResponse | undefined => latestResponses.get(socket)
  const connections = new Set<Socket>()
  const server = createServer(
    {
      // Less than the 64 KiB that Node reads at once, so that the first line is mostly still
      // available when a request is refused.
      maxHeaderSize: 3 * limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      // By default Node checks every 30 s, so a limit of 10 s could take 40 s.
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 65_000,
      // The pipeline refuses a missing host, as JSON or as a page.
      requireHostHeader: false,
    },
    (request, response) => {
      latestResponses.set(request.socket, response)
      listener(request, response)
    },
  )
  // Only the size of headers is limited. With a limit on their number, Node silently drops the
  // rest, for example a second host.
  server.maxHeadersCount = 0
  // For a client that does not read its answer.
  server.timeout = limits.idleTimeoutMs
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  refuseParserErrors(server, latestResponse, onRefusal)
  return {
    server,
    connections: () => connections.size,
    drain: (timeoutMs) => drainConnections({ server, connections, latestResponse, timeoutMs }),
  }
}
