/** A steady load on a port of this machine: connections that are kept alive and always busy, as those of a proxy are. */
import { Agent, request } from 'node:http'

export type LoadRequest = { path: string; method?: 'GET' | 'POST'; body?: string; headers?: Record<string, string>; /** The second half of the body follows after so long (ms): the request is out all that time. */ slowly?: number }
export type LoadResult = { /** Answers by status. */ answers: Record<number, number>; /** What went wrong without an answer, by code. */ lost: Record<string, number>; /** Answers that said `Connection: close`. */ closed: number; /** The longest that an answer took (ms); may be set back. */ slowest: number }

/** `next` says what a connection asks for next, `pause` (ms) after its last answer. Runs until `stop`, which waits for the answers that are still out. */
export function steadyLoad(port: number, connections: number, next: (index: number) => LoadRequest, pause = 0): { result: LoadResult; stop: () => Promise<LoadResult> } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const result: LoadResult = { answers: {}, lost: {}, closed: 0, slowest: 0 }
  let stopped = false
  let index = 0

  const ask = ({ path, method = 'GET', body, headers = {}, slowly = 0 }: LoadRequest): Promise<void> => new Promise((resolve) => {
    const began = performance.now()
    const lost = (error: NodeJS.ErrnoException): void => {
      const code = error.code ?? error.message
      result.lost[code] = (result.lost[code] ?? 0) + 1
      resolve()
    }
    const sent = request({ host: '127.0.0.1', port, path, method, agent, headers: { host: `localhost:${port}`, ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }), ...headers } }, (response) => {
      response.on('error', lost).on('end', () => {
        const status = response.statusCode ?? 0
        result.answers[status] = (result.answers[status] ?? 0) + 1
        if (response.headers.connection === 'close') result.closed += 1
        result.slowest = Math.max(result.slowest, performance.now() - began)
        resolve()
      }).resume()
    })
    sent.on('error', lost)
    if (body === undefined || slowly === 0) return void sent.end(body)
    sent.write(body.slice(0, body.length / 2))
    setTimeout(() => sent.end(body.slice(body.length / 2)), slowly)
  })
  const workers = Array.from({ length: connections }, async () => {
    while (!stopped) {
      await ask(next((index += 1)))
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
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
