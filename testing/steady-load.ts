/** A steady load on a port of this machine: connections that are kept alive and always busy, as those of a proxy are. */
import { Agent, request } from 'node:http'

/** Silence after which a request counts as lost, as `no answer` (ms). */
const patience = 60_000

export type LoadRequest = {
  path: string
  method?: 'GET' | 'POST'
  body?: string
  headers?: Record<string, string>
  /** The second half of the body follows after so long (ms): the request is out all that time. */
  slowly?: number
  /** On a connection of its own, as a new visitor comes. */
  fresh?: boolean
  /** Hears the status of its answer; never called for a request that is lost. */
  answered?: (status: number) => void
}
export type LoadResult = {
  /** Answers by status. */
  answers: Record<number, number>
  /** What went wrong without an answer, by code, and the local ports of the connections on which it did. */
  lost: Record<string, number>
  lostOn: number[]
  /** Answers on kept connections that said `Connection: close`. */
  closed: number
  /** Of each answer, to its last byte (ms). */
  times: number[]
}

/** `next` says what a connection asks for next, `pause` (ms) after its last answer. Runs until `stop`, which waits for the answers that are still out. */
export function steadyLoad(
  port: number,
  connections: number,
  next: (index: number) => LoadRequest,
  pause = 0,
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
      sent.setTimeout(patience, () => sent.destroy(new Error('no answer')))
      if (body === undefined || slowly === 0) return void sent.end(body)
      sent.write(body.slice(0, body.length / 2))
      setTimeout(() => sent.end(body.slice(body.length / 2)), slowly)
    })
  const workers = Array.from({ length: connections }, async () => {
    while (!stopped) {
      await ask(next((index += 1)))
      if (pause > 0)
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
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
