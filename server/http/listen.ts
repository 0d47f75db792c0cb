import type { ListenOptions, Server } from 'node:net'

/**
 * Listens on TCP. Resolves to the port, which matters for port 0; rejects when the address cannot
 * be used.
 */
export function listen(server: Server, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      const address = server.address()
      if (address !== null && typeof address !== 'string') resolve(address.port)
      else reject(new Error('the server does not listen on TCP'))
    })
  })
}
