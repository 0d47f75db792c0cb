import { rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals'
import { imageLimits } from '../../../shared/constants'
import { SiteError } from '../../../server/errors'
import {
  createRemoteFetch,
  type Address,
  type FetchRemoteOptions,
} from '../../../server/images/fetch-remote'
import { openImageDatabase, type ImageDatabase } from '../../../server/images/image-database'
import { createVariantStore } from '../../../server/images/variant-store'
import { createLogger } from '../../../server/telemetry/logger'
import { createRemoteSources } from '../../../server/images/remote-sources'
import { isPublicAddress } from '../../../server/images/public-address'
import { flatPng } from '../../../testing/bad-pictures'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { loopbackAddresses, loopbackHosts } from '../../cases/loopback-spellings'

let server: Server
let port = 0
let connections = 0
let answer: RequestListener = (_request, response) => void response.end('bytes')
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response))
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(
  () =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(resolve)
    }),
)
beforeEach(() => {
  connections = 0
  answer = (_request, response) => void response.end('bytes')
})

const loopback: Address = { address: '127.0.0.1', family: 4 }
const elsewhere: Address = { address: '93.184.216.34', family: 4 }
const pictures = (): string => `pictures.example:${port}`
const outcome = async (options: FetchRemoteOptions, url: string): Promise<number | string> => {
  try {
    return (await createRemoteFetch(options)(new URL(url))).toString()
  } catch (error) {
    if (error instanceof SiteError) return error.status
    throw error
  }
}
/** Allows this machine as the remote host. */
const withLocalHost = (extra: Partial<FetchRemoteOptions> = {}): FetchRemoteOptions => ({
  allowedHosts: [pictures()],
  resolve: () => Promise.resolve([loopback]),
  isAllowedAddress: () => true,
  ...extra,
})

describe('a remote picture', () => {
  it('is fetched from a listed host with its name in the Host header', async () => {
    answer = (request, response) => void response.end(request.headers.host)
    expect(await outcome(withLocalHost(), `http://${pictures()}/a.png`)).toBe(pictures())
  })

  it.each([...loopbackHosts])(
    'is never fetched from this machine, written as %s, even if the host is listed',
    async (host) => {
      const url = `http://${host}:${port}/a.png`
      expect(URL.canParse(url) ? await outcome({ allowedHosts: [pictures()] }, url) : 403).toBe(403)
      // Listing the host does not help, because the resolved addresses are checked too.
      const listed = URL.canParse(url) ? [new URL(url).host, new URL(url).hostname] : []
      const resolve = (name: string): Promise<Address[]> =>
        Promise.resolve(/^localhost(?:\.|$)|\.localhost$/.test(name) ? [loopback] : [])
      if (URL.canParse(url)) expect(await outcome({ allowedHosts: listed, resolve }, url)).toBe(403)
      expect(connections).toBe(0)
    },
  )

  it.each([...loopbackAddresses])('is refused as %s', async (template) => {
    const url = template.replaceAll('PORT', String(port))
    if (URL.canParse(url))
      expect(
        await outcome(
          { allowedHosts: ['pictures.example'], resolve: () => Promise.resolve([loopback]) },
          url,
        ),
      ).toBe(403)
    expect(connections).toBe(0)
  })

  it('the table of spellings has at least sixty entries', () => {
    expect(new Set([...loopbackHosts, ...loopbackAddresses]).size).toBeGreaterThanOrEqual(60)
  })

  it('is refused when one of several addresses is private', async () => {
    expect(
      await outcome(
        { allowedHosts: [pictures()], resolve: () => Promise.resolve([elsewhere, loopback]) },
        `http://${pictures()}/a.png`,
      ),
    ).toBe(403)
    expect(connections).toBe(0)
  })

  it('connects to the checked address, even if the name resolves to another one later', async () => {
    const lookups: string[] = []
    const answers = [[elsewhere], [loopback], [loopback]]
    const resolve = (name: string): Promise<Address[]> => {
      lookups.push(name)
      return Promise.resolve(answers.shift() ?? [loopback])
    }
    expect([502, 504]).toContain(
      await outcome(
        { allowedHosts: [pictures()], resolve, timeoutMs: 500 },
        `http://${pictures()}/a.png`,
      ),
    )
    expect(lookups).toEqual(['pictures.example'])
    expect(connections).toBe(0)
  })

  it('is checked again at each redirect', async () => {
    const targets = [
      `http://127.0.0.1:${port}/b.png`,
      `http://localhost:${port}/b.png`,
      `http://[::ffff:127.0.0.1]:${port}/b.png`,
      `http://0x7f.1:${port}/`,
      '//169.254.169.254/latest',
      'file:///etc/passwd',
      `http://user@${pictures()}/b.png`,
      'gopher://127.0.0.1/',
    ]
    for (const target of targets) {
      connections = 0
      answer = (_request, response) => void response.writeHead(302, { location: target }).end()
      expect([
        target,
        await outcome(withLocalHost(), `http://${pictures()}/a.png`),
        connections,
      ]).toEqual([target, 403, 1])
    }
  })

  it('is refused when the name resolves to a private address after a redirect', async () => {
    answer = (_request, response) => void response.writeHead(302, { location: '/b.png' }).end()
    let resolved = 0
    const resolve = (): Promise<Address[]> =>
      Promise.resolve([(resolved += 1) === 1 ? loopback : { address: '10.0.0.7', family: 4 }])
    expect(
      await outcome(
        withLocalHost({ resolve, isAllowedAddress: (address) => address === '127.0.0.1' }),
        `http://${pictures()}/a.png`,
      ),
    ).toBe(403)
    expect([resolved, connections]).toEqual([2, 1])
  })

  it('follows three redirects and no more', async () => {
    answer = (request, response) => {
      const left = Number(request.url?.slice(1))
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
      else response.end('there')
    }
    expect(await outcome(withLocalHost(), `http://${pictures()}/3`)).toBe('there')
    expect(await outcome(withLocalHost(), `http://${pictures()}/4`)).toBe(502)
  })

  it.each<[string, RequestListener, number]>([
    ['the image does not exist', (_request, response) => void response.writeHead(404).end(), 404],
    ['the host fails', (_request, response) => void response.writeHead(500).end(), 502],
    [
      'Content-Length is too large',
      (_request, response) =>
        void response.writeHead(200, { 'content-length': 30 * 1024 * 1024 }).write('x'),
      413,
    ],
    [
      'the body is too large',
      (_request, response) => {
        const block = Buffer.alloc(1024 * 1024)
        const more = (): void =>
          void (!response.destroyed && response.write(block, () => setImmediate(more)))
        more()
      },
      413,
    ],
    [
      'the body is compressed',
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      415,
    ],
    ['the host does not answer', () => undefined, 504],
    [
      'the body is cut off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('half')
        setTimeout(() => response.destroy(), 20)
      },
      502,
    ],
    [
      'the body arrives too slowly',
      (_request, response) => {
        const timer = setInterval(() => response.write('x'), 50)
        response.on('close', () => clearInterval(timer))
      },
      504,
    ],
  ])('fails with the documented status when %s', async (_name, listener, status) => {
    answer = listener
    // 20 MB take a second on a busy machine.
    const timeoutMs = status === 504 ? 1500 : 20_000
    expect(await outcome(withLocalHost({ timeoutMs }), `http://${pictures()}/a.png`)).toBe(status)
  })

  it('is refused as SVG, which can hold scripts', async () => {
    const find = createRemoteSources({
      // Nothing is stored: the SVG is refused before.
      db: { prepare: () => ({ get: () => undefined }) } as never,
      store: {} as never,
      fetchRemote: () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    })
    await expect(find(new URL('https://pictures.example/a.png'))).rejects.toMatchObject({
      error: 'notAnImage',
    })
  })

  it.each([
    ['without a target', {}],
    ['to no URL', { location: 'http://[' }],
  ])('fails after a redirect %s', async (_name, headers) => {
    answer = (_request, response) => void response.writeHead(302, headers).end()
    expect([await outcome(withLocalHost(), `http://${pictures()}/a.png`), connections]).toEqual([
      502, 1,
    ])
  })

  it('fails when the name has no address', async () => {
    expect(
      await outcome(
        withLocalHost({ resolve: () => Promise.resolve([]) }),
        `http://${pictures()}/a.png`,
      ),
    ).toBe(502)
    expect(
      await outcome(
        withLocalHost({ resolve: () => Promise.reject(new Error('ENOTFOUND')) }),
        `http://${pictures()}/a.png`,
      ),
    ).toBe(502)
  })
})

describe('the source of a remote picture', () => {
  const url = (name: string): URL => new URL(`https://pictures.example/${name}.png`)
  const png = flatPng(3, 2)
  let folder: string
  let db: ImageDatabase
  /** The URLs that were downloaded. */
  let fetched: string[]
  let store: ReturnType<typeof createVariantStore>
  beforeEach(() => {
    folder = temporaryFolder('remotes')
    db = openImageDatabase(folder)
    fetched = []
    store = createVariantStore({
      db,
      folder,
      prebuiltFolder: null,
      maxDiskBytes: 10_000,
      // Nothing stays in memory.
      maxMemoryBytes: 16,
      log: createLogger('silent'),
    })
  })
  afterEach(() => {
    jest.useRealTimers()
    if (db.open) db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const sources = (fetchRemote?: (url: URL) => Promise<Buffer>, connection = db) =>
    createRemoteSources({
      db: connection,
      store,
      fetchRemote: async (from) => {
        fetched.push(from.href)
        return fetchRemote ? fetchRemote(from) : png
      },
      maxConcurrent: 2,
    })

  it('is downloaded once an hour, also for another process', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] })
    const first = await sources()(url('a'))
    expect(first).toMatchObject({ format: 'png', width: 3, height: 2 })
    expect(await first.read()).toEqual(png)
    jest.advanceTimersByTime(3_599_000)
    expect(await sources()(url('a'))).toMatchObject({ hash: first.hash })
    expect(fetched).toHaveLength(1)
    jest.advanceTimersByTime(2000)
    await sources()(url('b'))
    expect(db.prepare('SELECT count(*) AS n FROM remotes').get()).toEqual({ n: 1 })
    await sources()(url('a'))
    expect(fetched).toEqual(['a', 'b', 'a'].map((name) => url(name).href))
  })

  it('takes little space per URL, and a fixed number of URLs over all processes', async () => {
    const other = openImageDatabase(folder)
    const start = Date.now() + 60_000
    db.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO remotes SELECT 'url ' || i, '', ? + i FROM n`,
    ).run(imageLimits.maxRemotes, start)
    for (const [index, connection] of [db, other].entries())
      await sources(undefined, connection)(url(`a.png?${index}${'x'.repeat(7000)}`))
    expect(db.prepare('SELECT count(*) AS n, min(until) AS first FROM remotes').get()).toEqual({
      n: imageLimits.maxRemotes,
      first: start + 3,
    })
    expect(db.prepare('SELECT max(length(url)) AS length FROM remotes').get()).toEqual({
      length: 64,
    })
    await sources()(url(`a.png?0${'x'.repeat(7000)}`))
    expect(fetched).toHaveLength(2)
    other.close()
  })

  it('can be read after its copy on disk was evicted', async () => {
    const source = await sources()(url('a'))
    rmSync(folder, { recursive: true })
    expect(await source.read()).toEqual(png)
  })

  it('is found even if the database cannot be written', async () => {
    const find = sources((from) => {
      // The database closes during the download, so the download cannot be recorded.
      db.close()
      return Promise.resolve(from.href === url('a').href ? png : Buffer.alloc(0))
    })
    expect(await find(url('a'))).toMatchObject({ format: 'png' })
  })

  it('is refused while as many downloads wait as may run at once; equal ones are one', async () => {
    await sources()(url('stored'))
    fetched = []
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const find = sources(async () => {
      await released
      return png
    })
    const names = ['a', 'b', 'c', 'd', 'a']
    const found = names.map((name) => find(url(name)))
    await expect(find(url('e'))).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '2' },
    })
    expect(fetched).toEqual([url('a').href, url('b').href])
    // A picture that is stored needs no download.
    await expect(find(url('stored'))).resolves.toMatchObject({ format: 'png' })
    release()
    await Promise.all(found)
    expect(fetched).toHaveLength(4)
    await expect(find(url('e'))).resolves.toMatchObject({ format: 'png' })
  })
})

describe('a public address', () => {
  it.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001::8a'])(
    'is %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  it.each([
    '192.0.2.1',
    '203.0.113.9',
    '192.88.99.1',
    '240.0.0.1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    '4000::1',
    'fe80::1%eth0',
    'pictures.example',
    '',
  ])('is not %s', (address) => expect(isPublicAddress(address)).toBe(false))
})
