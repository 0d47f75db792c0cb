import { createServer } from 'node:net'

// Below the ports that systems give to outgoing connections (Linux 32768 and up, others 49152), one
// of which could take the port before the program that it is meant for.
const lowest = 20_000
const highest = 32_767
const given = new Set<number>()

/** Whether a server can listen on the port of 127.0.0.1. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * A free port for a program that cannot choose one itself. Each is given once, at random, so that
 * processes that ask at the same time get different ones.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}
