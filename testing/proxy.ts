import { execFileSync } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

type StandInProxy = {
  port: number
  /** Received requests: kind, credentials, and the target's name and port. */
  asked: string[]
  stop: () => Promise<void>
}

const socksGreeting = 5
const tlsHandshake = 22
/** "Host unreachable" (RFC 1928): nothing leaves this machine. */
const refused = Buffer.from([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])

/** A key and a certificate that is signed with it, as PEM. */
const selfSigned = (): string =>
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-keyout', '-', '-out', '-'],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  )

/**
 * A proxy for HTTP CONNECT, in plain text or over TLS, and SOCKS5 with user name and password (RFC
 * 1928, 1929) that records requests and connects to nothing.
 */
export async function startProxy(): Promise<StandInProxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()

  function http(kind: 'http' | 'https', socket: Socket, head: string): void {
    const [, target = ''] = /^CONNECT (\S+) HTTP/.exec(head) ?? []
    const [, basic = ''] = /^Proxy-Authorization: Basic (\S+)/im.exec(head) ?? []
    asked.push(`${kind} ${Buffer.from(basic, 'base64').toString()} ${target}`)
    socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
  }

  let credentials = ''
  function socks(socket: Socket, message: Buffer): void {
    if (message[0] === socksGreeting && message.length > 2 && message[1] === message.length - 2)
      socket.write(Buffer.from([5, 2]))
    else if (message[0] === 1) {
      const nameLength = message[1] ?? 0
      credentials = `${message.toString('utf8', 2, 2 + nameLength)}:${message.toString('utf8', 3 + nameLength)}`
      socket.write(Buffer.from([1, 0]))
    } else {
      // Type 3: the client sends the host name and the proxy resolves it.
      const target =
        message[3] === 3
          ? `${message.toString('utf8', 5, 5 + (message[4] ?? 0))}:${message.readUInt16BE(message.length - 2)}`
          : 'an address'
      asked.push(`socks ${credentials} ${target}`)
      socket.end(refused)
    }
  }

  const pem = selfSigned()
  const secure = createTlsServer({ key: pem, cert: pem }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (message: Buffer) => http('https', socket, message.toString('latin1')))
  })

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('data', (message) => {
      if (message[0] === tlsHandshake) {
        // Paused, so that the first message stays in the buffer until the TLS server reads it.
        socket.removeAllListeners('data').pause()
        socket.unshift(message)
        secure.emit('connection', socket)
      } else if (message[0] === socksGreeting || message[0] === 1) socks(socket, message)
      else http('http', socket, message.toString('latin1'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
