/**
 * A steady load on a local port: keep-alive connections that are always busy, like those of a
 * proxy.
 */
import { Agent, request } from 'node:http'

/** A request without an answer after this time counts as lost, with the code `no answer`. */
const answerTimeoutMs = 60_000

export type LoadRequest = {
  path: string
  method?: 'GET' | 'POST'
  body?: string
  headers?: Record<string, string>
  /** Delay before the second half of the body is sent (ms). */
  slowly?: number
  /** Opens a new connection, as a new visitor does. */
  fresh?: boolean
  /** Called with the status of the answer; not called for a lost request. */
  answered?: (status: number) => void
}
export type LoadResult = {
  /** Answers by status. */
  answers: Record<number, number>
  /** Failures without an answer, by error code, and the local ports of their connections. */
  lost: Record<string, number>
  lostOn: number[]
  /** Answers with `Connection: close` on keep-alive connections. */
  closed: number
  /** Duration of each answer to its last byte (ms). */
  times: number[]
}

/**
 * Sends requests until `stop`, which waits for outstanding answers. `next` returns the next request
 * of a connection, which is sent `pauseMs` after the last answer.
 */
export function steadyLoad(
  port: number,
  connections: number,
  next: (index: number) => LoadRequest,
  pauseMs = 0,
): { result: LoadResult; stop: () => Promise<LoadResult> } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const result: LoadResult = { answers: {}, lost: {}, lostOn: [], closed: 0, times: [] }
  let stopped = false
  let index = 0

  const ask = ({
    path,
    method = 'GET',
    body,
    headers = {},
    slowly = 0,
    fresh = false,
    answered,
  }: LoadRequest): Promise<void> =>
    new Promise((resolve) => {
      const began = performance.now()
      let localPort: number | undefined
      const lost = (error: NodeJS.ErrnoException): void => {
        const code = error.code ?? error.message
        result.lost[code] = (result.lost[code] ?? 0) + 1
        if (localPort !== undefined) result.lostOn.push(localPort)
        resolve()
      }
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method,
          agent: fresh ? false : agent,
          headers: {
            host: `localhost:${port}`,
            ...(body === undefined
              ? {}
              : {
                  'content-type': 'application/json',
                  'content-length': String(Buffer.byteLength(body)),
                }),
            ...headers,
          },
        },
        (response) => {
          response
            .on('error', lost)
            .on('end', () => {
              const status = response.statusCode ?? 0
              result.answers[status] = (result.answers[status] ?? 0) + 1
              result.times.push(performance.now() - began)
              if (!fresh && response.headers.connection === 'close') result.closed += 1
              answered?.(status)
              resolve()
            })
            .resume()
        },
      )
      sent.on('socket', (socket) => {
        localPort = socket.localPort
        if (socket.connecting) socket.once('connect', () => (localPort = socket.localPort))
      })
      sent.on('error', lost)
      sent.setTimeout(answerTimeoutMs, () => sent.destroy(new Error('no answer')))
      if (body === undefined || slowly === 0) return void sent.end(body)
      sent.write(body.slice(0, body.length / 2))
      setTimeout(() => sent.end(body.slice(body.length / 2)), slowly)
    })
  const workers = Array.from({ length: connections }, async () => {
    while (!stopped) {
      await ask(next((index += 1)))
      if (pauseMs > 0)
        await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())))
    }
  })
  return {
    result,
    async stop() {
      stopped = true
      await Promise.all(workers)
      agent.destroy()
      return result
    },
  }
}
