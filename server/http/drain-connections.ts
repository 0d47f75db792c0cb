import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'

export type Draining = {
  server: Server
  /** Open connections, and the latest answer of each. */
  connections: ReadonlySet<Socket>
  latest: (socket: Socket) => ServerResponse | undefined
  /** Whatever is left after so long is cut (ms). */
  limit: number
}

/** How long after the last request connections on which nothing happens are left open, and how often they are looked at then (ms). */
const grace = 500
const lookEvery = 50

/**
 * Ends a server's connections without losing a request: no new ones; every answer from now on says `Connection: close`, so that its client opens the
 * next one elsewhere; those on which nothing is asked are closed only after a pause, because a request may be on its way on one that has just
 * answered. Resolves when all are gone.
 */
export async function drainConnections({
  server,
  connections,
  latest,
  limit,
}: Draining): Promise<void> {
  // Since when nothing has been asked on these connections. On a machine that is so busy that half a second brings no turn for most of them, a pause that began with the drain would say nothing.
  let lastSign = performance.now()
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
    lastSign = performance.now()
  })
  for (const socket of connections) {
    const answer = latest(socket)
    if (!answer || answer.writableFinished) continue
    if (!answer.headersSent) answer.shouldKeepAlive = false
    // Its head has left and promised another one: that is given its pause too. Ended with its last byte, the connection would take a request with it that its client has just sent.
    else answer.once('finish', () => (lastSign = performance.now()))
  }
  // Not the HTTP server's own: that one would close idle connections this very moment.
  const closed = new Promise<void>((resolve) =>
    TcpServer.prototype.close.call(server, () => resolve()),
  )
  // To Node an answer is over when all of it is handed in: closing idle connections would take with them whoever still reads.
  const isRead = (socket: Socket): boolean => {
    const answer = latest(socket)
    return !answer?.writableEnded || answer.writableFinished
  }
  const closeIdle = (): void => {
    if (![...connections].every(isRead)) return
    server.closeIdleConnections()
    // Opened ahead by a browser and never used: to Node they are busy with their first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  const look = setInterval(() => {
    // A turn later, when what has arrived is read: on a busy machine a request may lie there for longer than the pause, and its connection looks idle.
    if (performance.now() - lastSign >= grace) setImmediate(closeIdle)
  }, lookEvery)
  const cut = setTimeout(() => server.closeAllConnections(), limit)
  await closed
  clearInterval(look)
  clearTimeout(cut)
  // Ends what the HTTP server itself still looks after.
  server.close(() => undefined)
}
