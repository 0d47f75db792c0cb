import { createServer } from 'node:net'

// Systems give higher ports to outgoing connections: Linux from 32768 on, others from 49152 on.
// Such a connection could take the port before the program does.
const lowest = 20_000
const highest = 32_767
/** Ports that this process has chosen already; their programs may not listen yet. */
const given = new Set<number>()

/** Whether a server can listen on the port of 127.0.0.1. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * A free port for a program that cannot choose one itself. The choice is random, because test
 * processes that ask at the same time do not know of each other.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}
