/**
 * Stand-ins for the operator's backend: an HTTP server, and a TCP server that can break the
 * protocol.
 */
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

/**
 * Splits the first request off the bytes of a connection (RFC 9112, section 6). A body is chunked
 * or has a length; a request with neither has no body. Null while the request is incomplete.
 */
function takeRequest(text: string): { head: string; body: string; rest: string } | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = text.slice(0, end)
  const start = end + 4
  if (/^transfer-encoding:.*chunked/im.test(head)) {
    const [body] =
      /^(?:[0-9a-f]+[^\n]*\r\n[^]*?\r\n)??0+[^\n]*\r\n(?:.+\r\n)*\r\n/i.exec(text.slice(start)) ??
      []
    return body === undefined ? null : { head, body, rest: text.slice(start + body.length) }
  }
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  if (text.length < start + length) return null
  return { head, body: text.slice(start, start + length), rest: text.slice(start + length) }
}

/**
 * A TCP server that records every request in the bytes that it receives and calls `behave` with its
 * head and its socket.
 */
export async function startRawUpstream(
  behave: (socket: Socket, head: string) => void,
): Promise<TestUpstream> {
  const requests: RecordedRequest[] = []
  const server = createTcpServer((socket) => {
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      for (let taken = takeRequest(text); taken; taken = takeRequest(text)) {
        const { head, body } = taken
        text = taken.rest
        const [line = '', ...lines] = head.split('\r\n')
        const [method = '', url = ''] = line.split(' ')
        const fields = lines.map((header) => {
          const colon = header.indexOf(':')
          return [header.slice(0, colon), header.slice(colon + 1).trim()] as const
        })
        requests.push({
          method,
          url,
          headers: Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value])),
          rawHeaders: fields.flat(),
          body,
        })
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
