import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { limits } from '../../shared/constants'
import { allowAt } from '../api/calls'
import { SiteError, type ErrorName } from '../errors'
import { originOf, splitTarget } from '../url/decode-path'
import { namesHost } from '../url/hosts'
import { drainConnections } from './drain-connections'
import { errorResponse, type ErrorResponse } from './error-response'

/**
 * How long a refused client may go on sending. If the connection were closed at once, many clients
 * could not read the refusal.
 */
const lingerMs = 1000

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

const methodNotAllowed = (target: string): SiteError =>
  new SiteError('methodNotAllowed', undefined, { Allow: allowAt(splitTarget(target).path) })

/**
 * The catalogue error for what the parser refused, from its error code and the first line of the
 * request.
 */
function toSiteError(
  { code, bytesParsed = 0 }: ParserError,
  { method, target, lineBytes }: RequestLine,
): SiteError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new SiteError(
      method && target.length > limits.maxTargetBytes ? 'targetTooLong' : 'headersTooLarge',
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new SiteError('requestTimeout')
  // The parser refuses methods that it does not know, and those of RTSP (with `CONSTANT`); for a
  // client they are simply not allowed. When it has parsed more bytes, the error is about another
  // line.
  if (/^HPE_INVALID_(?:METHOD|CONSTANT)$/.test(code ?? '') && bytesParsed < lineBytes)
    return methodNotAllowed(target)
  return new SiteError('badRequest')
}

/** `lineBytes`: the length of a complete and well-formed request line, else 0. */
type RequestLine = { method: string; target: string; lineBytes: number; host?: string }

/**
 * The request line at the start of the bytes that the parser refused, and the host; an empty method
 * when there is none.
 */
function readRequestLine({ rawPacket }: ParserError): RequestLine {
  const text = rawPacket?.subarray(0, limits.maxTargetBytes + 64).toString('latin1') ?? ''
  const [line = '', method = '', target = '/', end] =
    /^([\w!#$%&'*+.^`|~-]{1,64}) (\S{1,})( HTTP\/1\.[01]\r?\n)?/.exec(text) ?? []
  const host = /\r\nhost:[ \t]*(\S+)/i.exec(text)?.[1]
  return { method, target, lineBytes: end ? line.length : 0, ...(host && { host }) }
}

/** Ends a connection after these bytes. */
function endConnection(socket: Duplex, bytes = ''): void {
  socket.end(bytes)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

/** Answers a request that has no response object. */
function refuse(socket: Duplex, { status, headers, body }: ErrorResponse): void {
  const lines = Object.entries({
    ...headers,
    Date: new Date().toUTCString(),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  endConnection(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`,
  )
}

/**
 * Calls back when a response, and with it all earlier ones of its connection, have been sent. A
 * client that sends requests without waiting must get the answers in their order.
 */
function afterResponse(response: ServerResponse | undefined, callback: () => void): void {
  if (!response || response.writableFinished || response.destroyed) callback()
  else response.once('close', callback)
}

/** The responses of the open connections. */
type Responses = {
  remember: RequestListener
  latestResponse: (socket: Duplex) => ServerResponse | undefined
  /** The response that must be sent before this one; undefined when that has been done. */
  responseBefore: (response: ServerResponse) => ServerResponse | undefined
}

function trackResponses(): Responses {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const before = new WeakMap<ServerResponse, ServerResponse>()
  return {
    remember({ socket }, response) {
      const previous = latest.get(socket)
      latest.set(socket, response)
      if (!previous || previous.writableFinished) return
      before.set(response, previous)
      // Otherwise a client that never waits would keep all its responses in memory.
      previous.once('close', () => before.delete(response))
    },
    latestResponse: (socket) => latest.get(socket),
    responseBefore: (response) => before.get(response),
  }
}

/** Whether the origin of a `Host` header is https. */
type IsHttps = (hostHeader: string | undefined) => boolean

/** Answers what Node refuses by itself, from the error catalogue like all other errors. */
function refuseParserErrors(
  server: Server,
  { latestResponse, responseBefore }: Responses,
  onRefusal: (name: ErrorName) => void,
  isHttps: IsHttps,
): void {
  const refusalAt = (target: string, host: string | undefined, error: SiteError): ErrorResponse =>
    errorResponse(error, splitTarget(target).path, isHttps(host))
  const refusalOf = (
    // Express shortens `url` for rows below a path, and keeps the target in `originalUrl`.
    { url = '/', originalUrl = url, headers }: IncomingMessage & { originalUrl?: string },
    error: SiteError,
  ): ErrorResponse => refusalAt(originalUrl, headers.host, error)
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: ParserError, socket) => {
    // Bytes after a refusal are ignored.
    if (refused.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    refused.add(socket)
    const latest = latestResponse(socket)
    const isInBody = latest !== undefined && !latest.req.complete
    const endAfterLatest = (): void => afterResponse(latest, () => endConnection(socket))
    if (isInBody && latest.headersSent) return endAfterLatest()
    const requestLine = readRequestLine(error)
    const siteError = toSiteError(error, requestLine)
    onRefusal(siteError.error)
    if (isInBody) {
      const refusal = refusalOf(latest.req, siteError)
      return afterResponse(responseBefore(latest), () =>
        latest.headersSent ? endAfterLatest() : refuse(socket, refusal),
      )
    }
    const refusal = refusalAt(requestLine.target, requestLine.host, siteError)
    afterResponse(latest, () => refuse(socket, refusal))
  })
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy())
    const refusal = refusalOf(request, methodNotAllowed(request.url ?? '/'))
    afterResponse(latestResponse(socket), () => refuse(socket, refusal))
  })
  // The body may follow without being asked for, so the connection is closed.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = refusalOf(request, new SiteError('expectationFailed'))
    onRefusal('expectationFailed')
    response.writeHead(status, { ...headers, Connection: 'close' }).end(body)
  })
}

/**
 * Turns an absolute-form target that names the request's own host into its path, the form in which
 * the front and Express compare targets. The pipeline refuses all other absolute-form targets.
 */
function toOriginForm(request: IncomingMessage): void {
  const { url = '', headers } = request
  const origin = url.startsWith('/') ? null : originOf(url)
  if (origin === null || !namesHost(origin, headers.host ?? '')) return
  const { path, query } = splitTarget(url)
  request.url = path + query
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
 * `onRefusal` gets the error name of each request that Node refuses. The parser accepts larger
 * targets and headers than allowed, up to a limit, so that the pipeline can tell which of the two
 * is too large.
 */
export function createHttpServer(
  listener: RequestListener,
  onRefusal: (name: ErrorName) => void,
  isHttps: IsHttps,
): HttpServer {
  const responses = trackResponses()
  const { remember, latestResponse } = responses
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
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      // The pipeline refuses a missing host, as JSON or as a page.
      requireHostHeader: false,
    },
    (request, response) => {
      remember(request, response)
      toOriginForm(request)
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
  // Node would put "100 Continue" between head and body of an answer that waits for earlier ones.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    afterResponse(latestResponse(request.socket), () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.emit('request', request, response)
  })
  server.on('checkExpectation', remember)
  refuseParserErrors(server, responses, onRefusal, isHttps)
  return {
    server,
    connections: () => connections.size,
    drain: (timeoutMs) => drainConnections({ server, connections, latestResponse, timeoutMs }),
  }
}
