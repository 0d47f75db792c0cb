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

/** How long a connection on which nothing happens is left open, and how often they are looked at then (ms). */
const grace = 500
const lookEvery = 50

/**
 * Ends a server's connections without losing a request: no new ones; every answer from now on says `Connection: close`, so that its client opens the
 * next one elsewhere; those on which nothing is asked are closed only after a pause, because a request may be on its way on one that has just
 * answered. Resolves when all are gone.
 */
export async function drainConnections({ server, connections, latest, limit }: Draining): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
  for (const socket of connections) {
    const answer = latest(socket)
    if (!answer || answer.writableFinished) continue
    if (!answer.headersSent) answer.shouldKeepAlive = false
    // Its head has left and promised another one: the end comes with its last byte.
    else answer.once('finish', () => socket.end())
  }
  // Not the HTTP server's own: that one would close idle connections this very moment.
  const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()))
  const began = performance.now()
  const closeIdle = (): void => {
    server.closeIdleConnections()
    // Opened ahead by a browser and never used: to Node they are busy with their first request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  const look = setInterval(() => {
    // A turn later, when what has arrived is read: on a busy machine a request may lie there for longer than the pause, and its connection looks idle.
    if (performance.now() - began >= grace) setImmediate(closeIdle)
  }, lookEvery)
  const cut = setTimeout(() => server.closeAllConnections(), limit)
  await closed
  clearInterval(look)
  clearTimeout(cut)
  // Ends what the HTTP server itself still looks after.
  server.close(() => undefined)
}
