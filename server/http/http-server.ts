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
import { drainConnections } from './drain-connections'
import { SiteError, type ErrorName } from '../errors'
import { refusalOf } from './refusal'
import { splitTarget } from '../url/decode-path'

/** How long a refused client may go on sending before it is cut off (ms): cut at once, it would often not get to read the refusal. */
const linger = 1000

/** What the parser refused, from the bytes it stopped at: a line that is no request's tells nothing. */
function refusedBy(error: NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }): {
  refusal: SiteError
  path: string
} {
  const head = error.rawPacket?.subarray(0, limits.targetBytes + 64).toString('latin1') ?? ''
  const [, method = '', target = '/', ended] =
    /^([A-Z-]{3,24}) (\S{1,})( HTTP\/1\.[01]\r?\n)?/.exec(head) ?? []
  const { path } = splitTarget(target)
  const overflow = error.code === 'HPE_HEADER_OVERFLOW'
  if (overflow && method && target.length > limits.targetBytes)
    return { refusal: new SiteError('targetTooLong'), path }
  if (overflow) return { refusal: new SiteError('headersTooLarge'), path }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { refusal: new SiteError('requestTimeout'), path }
  // The parser knows the registered methods; to a client another one is simply not allowed. Further on in the bytes, it is not this line that was refused.
  if (
    error.code === 'HPE_INVALID_METHOD' &&
    method &&
    ended &&
    (error.bytesParsed ?? 0) <= method.length
  )
    return { refusal: new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' }), path }
  return { refusal: new SiteError('badRequest'), path }
}

function refuse(socket: Duplex, error: SiteError, path: string): void {
  const { status, headers, body } = refusalOf(error, path)
  const lines = Object.entries({
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), linger).unref()
}

export type HttpServer = {
  server: Server
  /** Open connections. */
  connections: () => number
  /** Takes no more connections and ends those there are, without losing a request; what is left after `limit` ms is cut. */
  drain: (limit: number) => Promise<void>
}

/**
 * The HTTP server with the limits of decisions 10: time for headers and bodies, silence, sizes; what the parser refuses gets an answer of the
 * catalogue like everything else, and `onRefusal` hears its name. Larger targets and headers than allowed are let in up to a size, so that the pipeline can tell which was too large.
 */
export function createHttpServer(
  listener: RequestListener,
  onRefusal: (reason: ErrorName) => void = () => undefined,
): HttpServer {
  /** The latest answer of a connection: what the parser stumbles over may belong to it, or come behind it. */
  const latest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  const connections = new Set<Socket>()
  const server = createServer(
    {
      // Below the 64 KiB that are read at once: what is too large is mostly refused while its first line is at hand.
      maxHeaderSize: 3 * limits.headerBytes,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      // The default looks every 30 s, which would make 40 s of the 10.
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 65_000,
      // A missing host is refused by the pipeline, in the form that the path asks for.
      requireHostHeader: false,
    },
    (request, response) => {
      latest.set(request.socket, response)
      listener(request, response)
    },
  )
  // Counted in bytes. With a count, Node drops what comes after it unseen: a second host, for instance.
  server.maxHeadersCount = 0
  // Neither side says a word: a client that does not read what it asked for.
  server.timeout = limits.idleTimeout

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What comes after a refusal is not looked at.
    if (refused.has(socket)) return
    const answer = latest.get(socket)
    if (
      error.code === 'ECONNRESET' ||
      !socket.writable ||
      (answer && !answer.req.complete && answer.headersSent)
    )
      return void socket.destroy()
    refused.add(socket)
    const { refusal, path } = refusedBy(error)
    onRefusal(refusal.error)
    // The answer to a request before this one goes first.
    if (answer?.req.complete && !answer.writableFinished)
      answer.once('close', () => refuse(socket, refusal, path))
    else refuse(socket, refusal, path)
  })
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy())
    refuse(
      socket,
      new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD' }),
      splitTarget(request.url ?? '/').path,
    )
  })
  return {
    server,
    connections: () => connections.size,
    drain: (limit) =>
      drainConnections({ server, connections, latest: (socket) => latest.get(socket), limit }),
  }
}
