import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/**
 * Sends bytes that HTTP clients refuse to send. Resolves to all that was received when the server
 * closes the connection, and rejects after 5 s without a byte. With `tlsName` it connects with TLS
 * and names that server.
 */
export function rawRequest(port: number, text: string | Buffer, tlsName?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const address = { port, host: '127.0.0.1' }
    const send = (): boolean => socket.write(text)
    const socket = tlsName
      ? // The certificates of tests are signed by no authority.
        connectSecurely({ ...address, servername: tlsName, rejectUnauthorized: false }, send)
      : connect(address, send)
    socket.setTimeout(5000, () =>
      socket.destroy(new Error(`no answer to ${JSON.stringify(text.slice(0, 80).toString())}`)),
    )
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
  })
}

/**
 * A connection written to by hand: what was received so far, and when the server closed it (ms
 * after opening).
 */
type SlowSocket = { socket: Socket; received: () => string; closed: Promise<number> }

export function slowSocket(port: number, text: string): SlowSocket {
  const began = performance.now()
  const chunks: Buffer[] = []
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  return {
    socket,
    received: () => Buffer.concat(chunks).toString('latin1'),
    closed: new Promise((resolve) =>
      socket.once('close', () => resolve(performance.now() - began)),
    ),
  }
}
