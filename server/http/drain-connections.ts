import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'

type DrainOptions = {
  server: Server
  /** The open connections. */
  connections: ReadonlySet<Socket>
  /** The latest response of a connection. */
  latestResponse: (socket: Socket) => ServerResponse | undefined
  /** After this time the remaining connections are closed. */
  timeoutMs: number
}

/**
 * Idle connections are closed when no request has arrived for this time. It is long enough for a
 * request that a slow network or a busy client delays.
 */
const gracePeriodMs = 1000
const pollIntervalMs = 50

/**
 * Closes a server's connections without losing a request. No new connections are accepted, and from
 * now on every answer says `Connection: close`, so that the client sends its next request
 * elsewhere. An idle connection is closed only after a grace period, because its next request may
 * be on the way already. Resolves when all connections are closed.
 */
export async function drainConnections({
  server,
  connections,
  latestResponse,
  timeoutMs,
}: DrainOptions): Promise<void> {
  // Each request starts the grace period again: on a busy machine, many clients send their next
  // request later than one period after the drain began.
  let lastActivity = performance.now()
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
    lastActivity = performance.now()
  })
  for (const socket of connections) {
    const response = latestResponse(socket)
    if (!response || response.writableFinished) continue
    if (!response.headersSent) response.shouldKeepAlive = false
    // Its head has promised to keep the connection open, so the client may send another request
    // right after the last byte.
    else response.once('finish', () => (lastActivity = performance.now()))
  }
  // `close` of the HTTP server would close idle connections immediately.
  const closed = new Promise<void>((resolve) =>
    TcpServer.prototype.close.call(server, () => resolve()),
  )
  // For Node a response ends when all of it has been handed over. Closing idle connections would
  // cut clients that are still reading.
  const hasUnreadAnswer = (socket: Socket): boolean => {
    const response = latestResponse(socket)
    return response !== undefined && response.writableEnded && !response.writableFinished
  }
  const closeIdle = (): void => {
    if ([...connections].some(hasUnreadAnswer)) return
    server.closeIdleConnections()
    // A browser may open connections ahead and not use them. For Node they are busy with their
    // first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  const poll = setInterval(() => {
    // This process may have been too busy to read a request that has arrived. `setImmediate` runs
    // after it is read.
    if (performance.now() - lastActivity >= gracePeriodMs) setImmediate(closeIdle)
  }, pollIntervalMs)
  const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearInterval(poll)
  clearTimeout(timeout)
  // Stops the timers of the HTTP server.
  server.close(() => undefined)
}
