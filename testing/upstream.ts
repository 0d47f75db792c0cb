/** Stand-ins for the operator's backend: an HTTP server, and a TCP server that can break the protocol. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net'

export type RecordedRequest = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
}
export type TestUpstream = {
  origin: string
  port: number
  requests: RecordedRequest[]
  /** Number of open connections. */
  open: () => number
  stop: () => Promise<void>
}

function track(server: TcpServer): { open: () => number; destroy: () => void } {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  return { open: () => sockets.size, destroy: () => sockets.forEach((socket) => socket.destroy()) }
}

async function listen(server: TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** An HTTP server that records requests and answers them with `answer`. */
export async function startUpstream(answer: RequestListener): Promise<TestUpstream> {
  const requests: RecordedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      requests.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString('utf8'),
      })
      answer(request, response)
    })
  })
  const sockets = track(server)
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    open: sockets.open,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        sockets.destroy()
      }),
  }
}

/** A TCP server that calls `behave` with the head of each request and its socket. */
export async function startRawUpstream(
  behave: (socket: Socket, head: string) => void,
): Promise<TestUpstream> {
  const requests: RecordedRequest[] = []
  const server = createTcpServer((socket) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end)
        text = text.slice(end + 4)
        const [method = '', url = ''] = head.split(' ')
        requests.push({ method, url, headers: {}, rawHeaders: [], body: '' })
        behave(socket, head)
      }
    })
  })
  const sockets = track(server)
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    open: sockets.open,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        sockets.destroy()
      }),
  }
}

/** A free local port. */
export async function freePort(): Promise<number> {
  const server = createTcpServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
