/** The backend of `npm run bench -- fuzz`: finds requests byte by byte and trusts nothing. */
import { createServer, type AddressInfo, type Socket } from 'node:net'

type FuzzUpstream = {
  /** With a base path, which every forwarded request must have. */
  address: string
  /** Requests of visitors; the site's own reads are not counted. */
  requests: () => number
  /** What no backend may receive. */
  violations: readonly string[]
  stop: () => Promise<void>
}

const basePath = '/base'
/** A number of examples is enough. */
const maxViolations = 20
const requestLine = /^[A-Z]+ (\/base(?:[/?][\x21-\x7e]*)?) HTTP\/1\.1$/
const headerLine = /^([!#$%&'*+.^`|~0-9A-Za-z-]+): ([\x20-\x7e\x80-\xff\t]*)$/

/** What the site asks the backend for by itself. */
const ownReads = ['/home/base-info', '/client/sys-client-version/get-latest-version']

export async function startFuzzUpstream(): Promise<FuzzUpstream> {
  const violations: string[] = []
  const sockets = new Map<Socket, string>()
  let requests = 0
  let host = ''
  const report = (what: string, bytes: string): void => {
    if (violations.length < maxViolations)
      violations.push(`${what}: ${JSON.stringify(bytes.slice(0, 300))}`)
  }

  /** Checks and counts the head of a request. Returns its id. */
  function check(head: string): string {
    const [first = '', ...lines] = head.split('\r\n')
    const path = requestLine.exec(first)?.[1]
    if (path === undefined) report('not a request below the base path', head)
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, name = '', value = ''] = headerLine.exec(line) ?? []
      if (!name) report('not a header', line)
      if (headers.has(name.toLowerCase())) report('a header twice', head)
      headers.set(name.toLowerCase(), value)
    }
    const address = headers.get('x-forwarded-for')
    const isOwnRead =
      address === undefined && ownReads.some((read) => path?.startsWith(`${basePath}${read}?`))
    if (!isOwnRead) requests += 1
    if (!isOwnRead && address !== '127.0.0.1') report('another address', head)
    if (headers.get('host') !== host) report('another host', head)
    for (const name of ['transfer-encoding', 'trailer', 'te', 'expect', 'upgrade', 'origin'])
      if (headers.has(name)) report(`a header ${name}`, head)
    if (!/^\d{1,5}$/.test(headers.get('content-length') ?? '0')) report('a bad length', head)
    return headers.get('x-fuzz') ?? ''
  }

  const server = createServer((socket) => {
    sockets.set(socket, '')
    socket
      .on('error', () => undefined)
      .once('close', () => {
        const rest = sockets.get(socket)
        sockets.delete(socket)
        if (rest) report('bytes that are no whole request', rest)
      })
    socket.on('data', (chunk: Buffer) => {
      let bytes = (sockets.get(socket) ?? '') + chunk.toString('latin1')
      const headEnd = bytes.indexOf('\r\n\r\n')
      if (headEnd >= 0) {
        const lengthOfBody = Number(
          /^content-length: (\d+)/im.exec(bytes.slice(0, headEnd))?.[1] ?? 0,
        )
        const end = headEnd + 4 + lengthOfBody
        if (bytes.length >= end) {
          const method = bytes.slice(0, bytes.indexOf(' '))
          const id = check(bytes.slice(0, headEnd))
          if (bytes.length > end) report('bytes after a request, before its answer', bytes)
          const body = JSON.stringify({ code: 0, msg: 'ok', data: { id } })
          socket.write(
            `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${method === 'HEAD' ? '' : body}`,
          )
          bytes = ''
        }
      }
      sockets.set(socket, bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address: `http://${host}${basePath}`,
    requests: () => requests,
    violations,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets.keys()) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
