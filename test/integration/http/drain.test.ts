import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from '@jest/globals'
import { callApi } from '../../../testing/call-api'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { startTestSite, type TestSite } from '../../../testing/site'
import { startStopwatch } from '../../../testing/stopwatch'
import { startUpstream } from '../../../testing/upstream'

const head = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`

/** An open connection with the bytes received so far, and the time when it was closed. */
async function open(
  port: number,
): Promise<{ socket: Socket; text: () => string; closed: Promise<void>; isClosed: () => boolean }> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  let closedYet = false
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined)
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      closedYet = true
      resolve()
    }),
  )
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    socket,
    text: () => Buffer.concat(chunks).toString('latin1'),
    closed,
    isClosed: () => closedYet,
  }
}
const until = async (check: () => boolean): Promise<void> => {
  const end = Date.now() + 10_000
  while (!check()) {
    if (Date.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('a site that shuts down', () => {
  let site: TestSite | undefined
  afterEach(() => site?.stop())

  it('answers one more request on an open connection with Connection: close, and closes it, as it does idle and unused ones', async () => {
    site = await startTestSite()
    const unused = await open(site.port)
    const [used, idle] = [await open(site.port), await open(site.port)]
    used.socket.write(head('/pricing'))
    await until(() => used.text().includes('</html>'))
    expect(used.text()).toMatch(/^Connection: keep-alive\r$/im)
    idle.socket.write(head('/healthz'))
    await until(() => idle.text().includes('"ok"'))
    const ended = new Promise((resolve) => site?.child.once('exit', (code) => resolve(code)))
    const began = performance.now()
    const elapsed = startStopwatch()
    site.child.kill('SIGTERM')
    await until(() => site?.logs.some(({ msg }) => msg === 'draining') === true)
    const before = used.text().length
    used.socket.write(head('/readyz'))
    await Promise.all([used.closed, idle.closed, unused.closed])
    expect(used.text().slice(before)).toMatch(/^HTTP\/1\.1 503 [\s\S]*^Connection: close\r$/im)
    // Idle connections are closed a second after the last request.
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(await ended).toBe(0)
    expect(elapsed()).toBeLessThan(4000)
  })

  it('finishes slow answers, and answers one more request where the last answer promised keep-alive', async () => {
    let finishStream = (): void => undefined
    const upstream = await startUpstream(({ url = '' }, response) => {
      if (url.endsWith('/stream')) {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
        finishStream = () => void response.end('data: 2\n\n')
        return
      }
      setTimeout(() => {
        response.setHeader('Content-Type', 'application/json')
        response.end('{"code":0,"msg":"ok","data":"late"}')
      }, 1500)
    })
    site = await startTestSite({ API_UPSTREAM: upstream.origin })
    const [promised, slow] = [await open(site.port), await open(site.port)]
    promised.socket.write(head('/api/stream'))
    await until(() => promised.text().includes('data: 1'))
    slow.socket.write(head('/api/client/anything'))
    await until(() => upstream.requests.some(({ url }) => url.includes('anything')))
    site.child.kill('SIGINT')
    await until(() => site?.logs.some(({ msg }) => msg === 'draining') === true)
    finishStream()
    await until(() => promised.text().endsWith('0\r\n\r\n'))
    const before = promised.text().length
    promised.socket.write(head('/healthz'))
    await Promise.all([promised.closed, slow.closed])
    expect(promised.text().slice(before)).toMatch(/^HTTP\/1\.1 200 [\s\S]*^Connection: close\r$/im)
    expect(slow.text()).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*^Connection: close\r$[\s\S]*"data":"late"/im,
    )
    await upstream.stop()
  })

  it('lets slow readers finish', async () => {
    site = await startTestSite()
    const slow = await open(site.port)
    // More than the socket buffers hold, so that the site has to keep the rest.
    const count = 200
    // They come from the cache, so each is answered as soon as it is read.
    await site.get('/pricing')
    slow.socket.pause()
    slow.socket.write(head('/pricing').repeat(count))
    await until(() => site?.logs.filter(({ path }) => path === '/pricing').length === 1 + count)
    site.child.kill('SIGTERM')
    await until(() => site?.logs.some(({ msg }) => msg === 'draining') === true)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    slow.socket.resume()
    await slow.closed
    expect(slow.text().split('</html>').length - 1).toBe(count)
  })

  it('accepts no new connections, and closes those that never end, and its stores', async () => {
    site = await startTestSite()
    const half = await open(site.port)
    half.socket.write(
      'POST /api/site/helpful HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    const ended = new Promise((resolve) => site?.child.once('exit', (code) => resolve(code)))
    const began = performance.now()
    const elapsed = startStopwatch()
    site.child.kill('SIGTERM')
    await until(() => site?.logs.some(({ msg }) => msg === 'draining') === true)
    const refused = await new Promise((resolve) =>
      connect(site?.port ?? 0, '127.0.0.1')
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        .once('connect', () => resolve('taken')),
    )
    expect(refused).toBe('ECONNREFUSED')
    expect(await ended).toBe(0)
    expect(performance.now() - began).toBeGreaterThan(6500)
    expect(elapsed()).toBeLessThan(8800)
  })

  it('that crashes logs the error, exits with 1, and has kept what it acknowledged', async () => {
    const fault = join(temporaryFolder('fault'), 'fault.cjs')
    writeFileSync(
      fault,
      "process.on('SIGUSR2', () => Promise.reject(new Error('a mistake of ours')))",
    )
    site = await startTestSite({ NODE_OPTIONS: `--require ${fault}` })
    expect(
      (
        await callApi(site.port, '/site/helpful', {
          json: { page: '/', locale: 'en', helpful: true },
        })
      ).status,
    ).toBe(200)
    const ended = new Promise((resolve) => site?.child.once('close', (code) => resolve(code)))
    site.child.kill('SIGUSR2')
    expect(await ended).toBe(1)
    expect(site.logs.find(({ level }) => level === 'fatal')).toMatchObject({
      msg: 'the process crashed',
      origin: 'unhandledRejection',
      err: { message: 'a mistake of ours' },
    })
    const db = new Database(join(site.dataDir, 'site.db'), { readonly: true })
    expect(db.prepare('SELECT count(*) AS n FROM helpful_votes').get()).toEqual({ n: 1 })
    db.close()
  })
})
