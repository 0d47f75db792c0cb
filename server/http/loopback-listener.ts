import type { Server } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'

/** A port of this machine that leads to this very process, and what closes it. */
export type LoopbackListener = { port: number; close: () => void }

/**
 * Lets a process ask itself for pages, on a free port of the loopback interface. The site's own port would not do: it may be bound to another address, and in a
 * cluster whoever is free answers there, so that a process would call itself ready after another one's page, and warm the cache of others.
 */
export function openLoopbackListener(server: Server): Promise<LoopbackListener> {
  const entrance = createServer((socket) => void server.emit('connection', socket))
  return new Promise((resolve, reject) => {
    entrance.once('error', reject)
    // Exclusive: not shared with the other processes of a cluster.
    entrance.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () =>
      resolve({
        port: (entrance.address() as AddressInfo).port,
        close: () => void entrance.close(),
      }),
    )
  })
}
