import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A profile as the documentation describes it. */
export type LocalProfile = {
  id: string
  name: string
  folder: string
  tags: string[]
  state: 'closed' | 'open'
}
export type LocalApi = {
  port: number
  profiles: LocalProfile[]
  /** `METHOD /path` of every request, in order. */
  requests: string[]
  stop: () => Promise<void>
}
type Options = {
  token: string
  profiles: readonly LocalProfile[]
  /** DevTools address that a started profile returns. */
  ws: string
  /** Profile starts per minute before the API answers 429. */
  starts?: number
  /** Ids of profiles whose proxy check fails. */
  failing?: readonly string[]
}
type Answer = {
  status: number
  code: number
  msg: string
  data: unknown
  headers?: Record<string, string>
}

const ok = (data: unknown): Answer => ({ status: 200, code: 0, msg: 'ok', data })
const refuse = (
  status: number,
  code: number,
  msg: string,
  headers?: Record<string, string>,
): Answer => ({ status, code, msg, data: null, ...(headers ? { headers } : {}) })
const perPage = 100

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * A stand-in for the local API of the desktop client as `content/docs/local-api` describes it. The
 * code samples of the documentation run against it.
 */
export async function startLocalApi({
  token,
  profiles: given,
  ws,
  starts = 10,
  failing = [],
}: Options): Promise<LocalApi> {
  const profiles = given.map((profile) => ({ ...profile, tags: [...profile.tags] }))
  const requests: string[] = []
  let started = 0

  function list(query: URLSearchParams): Answer {
    const found = profiles
      .filter(
        ({ tags, folder }) =>
          (!query.has('tag') || tags.includes(query.get('tag') ?? '')) &&
          (!query.has('folder') || folder === query.get('folder')),
      )
      .sort((a, b) => a.name.localeCompare(b.name))
    const page = Number(query.get('page') ?? 1)
    return ok({
      profiles: found.slice((page - 1) * perPage, page * perPage),
      page,
      pages: Math.max(1, Math.ceil(found.length / perPage)),
    })
  }

  function start(profile: LocalProfile): Answer {
    if (profile.state === 'open')
      return refuse(409, 40900, `${profile.name} is open on this computer`)
    if (failing.includes(profile.id)) return refuse(422, 42200, 'the proxy did not pass its check')
    started += 1
    if (started > starts) {
      started = 0
      return refuse(429, 42900, 'too many starts', { 'Retry-After': '1' })
    }
    profile.state = 'open'
    return ok({ ws })
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const url = new URL(request.url ?? '/', 'http://local')
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (request.headers.authorization !== `Bearer ${token}`)
      return refuse(401, 40100, 'the token is not valid')
    if (request.method === 'GET' && url.pathname === '/v1/profiles') return list(url.searchParams)
    const [, id, action] = /^\/v1\/profiles\/([\w-]+)\/(start|stop|tags)$/.exec(url.pathname) ?? []
    const profile = profiles.find((one) => one.id === id)
    if (!action || !profile) return refuse(404, 40400, 'no such profile')
    if (request.method === 'POST' && action === 'start') return start(profile)
    if (request.method === 'POST' && action === 'stop') {
      profile.state = 'closed'
      return ok({})
    }
    if (request.method === 'PUT' && action === 'tags') {
      profile.tags = (JSON.parse(await bodyOf(request)) as { tags: string[] }).tags
      return ok({})
    }
    return refuse(405, 40500, 'not allowed here')
  }

  function send(response: ServerResponse, { status, headers = {}, ...body }: Answer): void {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (made) => send(response, made),
      (error: unknown) => send(response, refuse(500, 50000, String(error))),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    profiles,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
