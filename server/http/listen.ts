import type { AddressInfo, ListenOptions, Server } from 'node:net'

/**
 * Listens on TCP. Resolves to the port, which matters for port 0; rejects when the address cannot
 * be used.
 */
export function listen(
  server: Server,
  options: Pick<ListenOptions, 'port' | 'host' | 'exclusive'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // A cast because only a server that listens on a path has an address of another type.
    server.listen(options, () => resolve((server.address() as AddressInfo).port))
  })
}
