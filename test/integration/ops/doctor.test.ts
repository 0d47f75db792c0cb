import Database from 'better-sqlite3'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { contentWith } from '../../../testing/content-copy'
import { buildFolder, programSettings, root } from '../../../testing/root'
import { runDoctor, type DoctorResult } from '../../../testing/run-doctor'
import { describeWith } from '../../../testing/describe-with'
import { locationDatabase } from '../../../testing/location-database'
import { startPostgres } from '../../../testing/postgres'
import { startNonsense, startRedis } from '../../../testing/redis'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, seedContent, startTestSite, type TestSite } from '../../../testing/site'
import { startSpecBackend } from '../../../testing/spec-backend'
import { startUpstream } from '../../../testing/upstream'

const dataDir = seedContent(temporaryFolder('doctor'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const doctor = (env: Record<string, string> = {}): Promise<DoctorResult> =>
  runDoctor({ DATA_DIR: dataDir, ...env })

describe('npm run doctor', () => {
  it('finds no problems in a fresh clone', async () => {
    const { status, out, wrong } = await doctor()
    expect([status, wrong]).toEqual([0, []])
    for (const about of [
      'Node',
      'settings',
      'build',
      'memory',
      'disk',
      'clock',
      'port',
      'hosts',
      'content',
      'launch',
      'database',
      'keys',
      'retention',
      'locations',
      'operators',
      'Redis',
      'backend',
      'sign-in',
    ])
      expect(out).toMatch(new RegExp(`^(?:ok|note)\\s+${about}\\s`, 'm'))
  })

  it('lists what only the operator can say, until it is set', async () => {
    const notes = async (env: Record<string, string>): Promise<string[]> =>
      [...(await doctor(env)).out.matchAll(/^(?:note|ok) +launch +(.*)$/gm)].map(
        ([, text = '']) => text,
      )
    expect(await notes({})).toEqual([
      'to be set: contact.email, contact.support, contact.abuse, company.name, company.address, company.law, company.publisher in content/site.yaml',
      'to be set: the prices in content/product.yaml (then remove sample_prices)',
      'to be set: the files of content/release/1.3.0, which are sample files',
    ])
    const mailbox = 'hello@polyfacet.test'
    const company = { name: 'A', address: 'B', law: 'C', publisher: 'D' }
    const content = contentWith({ contact: { email: mailbox, abuse: mailbox }, company })
    const product = join(content, 'product.yaml')
    writeFileSync(product, readFileSync(product, 'utf8').replace('sample_prices: true', ''))
    const fresh = temporaryFolder('launch')
    expect(await notes({ CONTENT_DIR: content, DATA_DIR: fresh })).toEqual([
      'company, mailboxes, prices and files are set',
    ])
    for (const folder of [content, fresh]) rmSync(folder, { recursive: true })
  })

  it('names an invalid setting', async () => {
    expect(await doctor({ TRUST_PROXY: 'yes' })).toMatchObject({
      status: 1,
      wrong: [expect.stringContaining('settings TRUST_PROXY="yes" is not accepted')],
    })
  })

  it('names a GEOIP_DB that cannot be read, and one that is old', async () => {
    expect((await doctor({ GEOIP_DB: '/none/city.mmdb' })).wrong).toEqual([
      expect.stringMatching(/^locations GEOIP_DB="\/none\/city\.mmdb" is not accepted: /),
    ])
    const file = join(dataDir, 'old.mmdb')
    writeFileSync(file, locationDatabase({}, 6, new Date('2020-02-03')))
    const { out } = await doctor({ GEOIP_DB: file })
    expect(out).toMatch(/^note +locations +GEOIP_DB: Test-City of 2020-02-03$/m)
  })

  it('warns when visitors can bypass the proxy and choose the address that the site sees', async () => {
    const { out } = await doctor({ HOST: '::', TRUST_PROXY: '1' })
    expect(out).toMatch(/^note +proxy +TRUST_PROXY=1, but the site listens on all interfaces/m)
    expect((await doctor({ TRUST_PROXY: '1' })).out).not.toContain('all interfaces')
  })

  describe('next to the running site', () => {
    let site: TestSite
    beforeAll(async () => {
      site = await startTestSite({
        CONTENT_DIR: join(root, 'content'),
        DATA_DIR: dataDir,
        OPS_TOKEN: 'a-token-of-the-test-of-the-doctor',
      })
    })
    afterAll(() => site.stop())

    it('warns when the running site ignores the header of a proxy', async () => {
      const said = /^note +proxy +requests arrive with X-Forwarded-For, but TRUST_PROXY=0/m
      await site.get('/')
      expect((await doctor()).out).not.toMatch(said)
      for (let count = 0; count < 3; count += 1)
        await site.get('/', { headers: { 'X-Forwarded-For': '203.0.113.7' } })
      expect((await doctor()).out).toMatch(said)
      expect((await doctor({ TRUST_PROXY: '1' })).out).not.toMatch(said)
      expect(site.logs.filter(({ msg }) => msg.startsWith('requests arrive with')).length).toBe(1)
    })

    it('distinguishes the site from another program on its port', async () => {
      const free = createServer().listen(0, '127.0.0.1')
      await new Promise((resolve) => free.once('listening', resolve))
      try {
        const { out } = await eventually(async () => {
          const result = await doctor({ PORT: String(site.port) })
          expect(result.out).toContain('2 running processes have the same')
          return result
        })
        expect(out).toContain(`the site is running on ${site.port} and ready`)
        expect(out).toMatch(
          new RegExp(`^ok +Node +version ${process.version}, supported until 20\\d\\d-`, 'm'),
        )
        const { port } = free.address() as AddressInfo
        expect(await doctor({ PORT: String(port) })).toMatchObject({
          status: 1,
          wrong: [expect.stringContaining(`port ${port} is taken by another program`)],
        })
      } finally {
        free.close()
      }
    })
  })

  it.each<[string, Record<string, string>, string[]]>([
    [
      'hosts, and a data folder that cannot be created',
      {
        SITE_URL_EN: 'http://localhost:1',
        SITE_URL_ZH: 'http://localhost:1',
        DATA_DIR: '/proc/data',
        DATABASE_URL: `file:${join(dataDir, 'site.db')}`,
      },
      [
        'disk DATA_DIR=/proc/data cannot be written (ENOENT)',
        'hosts SITE_URL_ZH="http://localhost:1" is not accepted: a host that no other language has',
      ],
    ],
    [
      'names of hosts, cookies, content and an unreachable identity provider',
      {
        SITE_URL_RU: 'http://no-such-host.invalid',
        COOKIE_DOMAIN: '.example.com',
        CONTENT_DIR: '/nowhere',
        GOOGLE_CLIENT_ID: 'abc',
        GSI_SCRIPT_URL: 'http://127.0.0.1:9/x.js',
        ID_TOKEN_JWKS_URL: 'http://127.0.0.1:9/certs',
      },
      [
        'hosts no-such-host.invalid is not found',
        'cookies COOKIE_DOMAIN=.example.com does not include localhost',
        'content /nowhere has no site.yaml',
        'sign-in GOOGLE_CLIENT_ID does not look like',
        'sign-in http://127.0.0.1:9',
        'sign-in http://127.0.0.1:9',
      ],
    ],
    [
      'unreachable servers of database, Redis and backend',
      {
        DATABASE_URL: 'postgres://somebody:hidden@127.0.0.1:9/site',
        REDIS_URL: 'redis://127.0.0.1:9',
        API_UPSTREAM: 'http://127.0.0.1:9/api',
      },
      [
        'database the PostgreSQL server of DATABASE_URL cannot be used (ECONNREFUSED)',
        'keys cannot be read',
        'Redis cannot be used (ECONNREFUSED)',
        'backend http://127.0.0.1:9 does not answer (',
      ],
    ],
  ])('reports %s, and hides secrets', async (_name, env, said) => {
    const { status, out, wrong } = await doctor(env)
    expect(status).toBe(1)
    expect(wrong).toEqual(said.map((text) => expect.stringContaining(text)))
    expect(out.match(/^ {18}-> /gm)?.length).toBeGreaterThanOrEqual(said.length)
    expect(out).not.toMatch(/hidden|\n {4}at |node_modules/)
  })

  it('checks the answer and the clock of the backend', async () => {
    const good = await startUpstream((_request, response) => {
      response.setHeader('Content-Type', 'application/json')
      response.end('{"code":0,"msg":"ok","data":{}}')
    })
    const odd = await startUpstream((_request, response) => {
      response.sendDate = false
      response.setHeader('Date', new Date(Date.now() + 120_000).toUTCString())
      response.statusCode = 500
      response.end('<h1>no</h1>')
    })
    try {
      expect(
        await doctor({ API_UPSTREAM: good.origin, APP_URL: 'https://app.example.com' }),
      ).toMatchObject({ status: 0, wrong: [] })
      expect((await doctor({ API_UPSTREAM: odd.origin })).wrong).toEqual([
        expect.stringMatching(/^clock is 1\d\d s behind that of the backend/),
        expect.stringContaining('answers base info with status 500 and code none'),
      ])
    } finally {
      await Promise.all([good.stop(), odd.stop()])
    }
  })

  it('says where neither credentials nor events can be encrypted for the backend', async () => {
    const backend = await startSpecBackend({
      'GET /home/base-info': () => ({ statistical_body: '<marquee>' }),
    })
    const run = (settings: Record<string, string>): Promise<DoctorResult> =>
      doctor({
        API_UPSTREAM: `${backend.origin}/backend`,
        APP_URL: 'https://app.example.com',
        ...settings,
      })
    const left = 'statistics base info of the backend: left out: <marquee>'
    try {
      const withoutCall = await run({})
      expect([withoutCall.status, withoutCall.wrong]).toEqual([0, []])
      expect(withoutCall.notes).toEqual(
        expect.arrayContaining([
          'backend it does not publish its public key: neither credentials nor events are sent',
          left,
        ]),
      )
      expect(await run({ UPSTREAM_SIGNIN: 'spec' })).toMatchObject({
        status: 1,
        wrong: [
          'backend UPSTREAM_SIGNIN=spec without UPSTREAM_PUBLIC_KEY: neither credentials nor events are sent',
        ],
      })
      const withKey = await run({
        UPSTREAM_SIGNIN: 'spec',
        UPSTREAM_PUBLIC_KEY: backend.publicKey,
      })
      expect([withKey.status, withKey.wrong]).toEqual([0, []])
    } finally {
      await backend.stop()
    }
  })

  it('checks the database file', async () => {
    const broken = seedContent(temporaryFolder('doctor-broken'))
    const file = join(broken, 'site.db')
    writeFileSync(
      file,
      'this is no database, though its name says so; it is long enough to be taken for one by its length alone.',
    )
    expect((await doctor({ DATA_DIR: broken })).wrong[0]).toContain(
      'is not a database of this site',
    )
    rmSync(file)
    // Any command of the store creates the file.
    execFileSync(process.execPath, [join(buildFolder(), 'server', 'store.js'), 'prune'], {
      env: { ...programSettings(), DATA_DIR: broken },
    })
    const db = new Database(file)
    db.exec("INSERT INTO helpful_votes (at, page, locale, helpful) VALUES (0, '/', 'en', 1)")
    db.close()
    chmodSync(file, 0o644)
    chmodSync(broken, 0o755)
    const { out, wrong } = await doctor({ DATA_DIR: broken })
    expect(out).toMatch(/^note +disk .+ \(mode 755\)/m)
    expect(out).toMatch(/^note +retention +these tables .* overdue for deletion: helpful_votes \(/m)
    expect(wrong).toEqual([
      expect.stringContaining('contains keys and can be read by other users (mode 644)'),
    ])
    rmSync(broken, { recursive: true, force: true })
  })

  it('reports a folder that cannot be written', async () => {
    const place = temporaryFolder('doctor-file')
    const file = join(place, 'file')
    mkdirSync(place, { recursive: true })
    writeFileSync(file, '')
    expect((await doctor({ DATA_DIR: join(file, 'data') })).wrong[0]).toMatch(
      /^disk DATA_DIR=.* cannot be written \(ENOTDIR\)/,
    )
    rmSync(place, { recursive: true, force: true })
  })
})

describeWith(['redis'], 'npm run doctor with Redis', (programs) => {
  it('checks a server and leaves nothing there', async () => {
    const redis = await startRedis(programs.redis)
    try {
      expect(await doctor({ REDIS_URL: redis.url })).toMatchObject({
        status: 0,
        // It says the second when a busy machine takes longer than the site would wait.
        out: expect.stringMatching(/^(?:ok\s+Redis\s+answers in|note\s+Redis\s+takes) \d/m),
      })
    } finally {
      await redis.stop()
    }
  })

  it('reports a server that is not Redis', async () => {
    const server = await startNonsense()
    expect((await doctor({ REDIS_URL: `redis://127.0.0.1:${server.port}` })).wrong).toEqual([
      expect.stringContaining('Redis cannot be used'),
    ])
    await server.stop()
  })
})

describeWith(['postgres'], 'npm run doctor with PostgreSQL', (programs) => {
  it('checks a server and its clock', async () => {
    const server = await startPostgres(programs.postgres)
    try {
      const { status, out } = await doctor({ DATABASE_URL: await server.makeDatabase() })
      expect(status).toBe(0)
      expect(out).toMatch(/^ok +database +PostgreSQL [\d.]+.*, answers in \d+ ms$/m)
      expect(out).toMatch(/^ok +clock .*the database/m)
    } finally {
      await server.stop()
    }
  })
})
