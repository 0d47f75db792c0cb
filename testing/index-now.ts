/** A receiver of announcements that enforces https://www.indexnow.org/documentation. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetchFrom } from './site'

type Announcement = { host: string; urlList: string[] }
export type IndexNowReceiver = {
  endpoint: string
  /** What was accepted, in order. */
  accepted: Announcement[]
  /** Status of every answer so far. */
  answers: number[]
  /** Answers of the next requests, before the protocol is checked; `0` cuts the connection. */
  failures: Array<{ status: number; headers?: Record<string, string> }>
  /** The next announcements that are accepted, one for each host. */
  next: (count: number) => Promise<Announcement[]>
  stop: () => Promise<void>
}

type Body = { host: string; key: string; keyLocation: string; urlList: string[] }

async function readJson(request: IncomingMessage): Promise<Body | null> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  try {
    return JSON.parse(text) as Body
  } catch {
    return null
  }
}

/** 200, or the status that the protocol has for the fault. */
async function statusOf(request: IncomingMessage, body: Body | null): Promise<number> {
  const isJson = request.headers['content-type'] === 'application/json; charset=utf-8'
  if (request.method !== 'POST' || !isJson || !body) return 400
  const { host, key, keyLocation, urlList } = body
  if (Object.keys(body).sort().join() !== 'host,key,keyLocation,urlList') return 400
  if (!/^[A-Za-z0-9-]{8,128}$/.test(key) || !Array.isArray(urlList)) return 400
  if (urlList.length < 1 || urlList.length > 10_000) return 400
  if (new Set(urlList).size !== urlList.length) return 422
  const location = new URL(keyLocation)
  if (location.host !== host || location.pathname !== `/${key}.txt`) return 422
  if (!urlList.every((url) => new URL(url).origin === location.origin)) return 422
  const file = await fetchFrom(Number(location.port), location.pathname, {
    host: location.hostname,
  })
  return file.status === 200 && file.body === key ? 200 : 403
}

export async function startIndexNowReceiver(): Promise<IndexNowReceiver> {
  const accepted: Announcement[] = []
  const answers: number[] = []
  const failures: IndexNowReceiver['failures'] = []
  let taken = 0
  let wake: () => void = () => undefined
  const server = createServer((request, response) => {
    void readJson(request).then(async (body) => {
      const failure = failures.shift()
      const status = failure?.status ?? (await statusOf(request, body))
      answers.push(status)
      if (status === 0) return void request.socket.destroy()
      response.writeHead(status, failure?.headers).end()
      if (status === 200 && body) accepted.push({ host: body.host, urlList: body.urlList })
      wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/indexnow`,
    accepted,
    answers,
    failures,
    async next(count) {
      while (accepted.length < taken + count)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const list = accepted.slice(taken, taken + count)
      taken += count
      return list
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
