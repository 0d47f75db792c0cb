import type { IncomingMessage, Server } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { listen } from './listen'

/** A port of this machine that only this process answers. */
type LoopbackListener = { port: number; close: () => void }

const ownSockets = new WeakSet<Socket>()

/**
 * Whether the process itself sent a request. An address does not tell: proxies use loopback too.
 */
export const isOwnRequest = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean =>
  ownSockets.has(socket)

/**
 * Lets the process request its own pages, on a free port of the loopback interface. The site's port
 * is not suitable: it may be bound to another address, and in a cluster any process answers it. A
 * process would then report that it is ready after another process rendered the page, and would
 * warm the caches of others.
 */
export async function openLoopbackListener(server: Server): Promise<LoopbackListener> {
  const listener = createServer((socket) => {
    ownSockets.add(socket)
    server.emit('connection', socket)
  })
  // Exclusive: the other processes of a cluster do not share the port.
  const port = await listen(listener, { port: 0, host: '127.0.0.1', exclusive: true })
  return { port, close: () => void listener.close() }
}
