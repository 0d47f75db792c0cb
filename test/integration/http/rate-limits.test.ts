/**
 * Rate limits (spec 10.1): by class and address, over all processes, also while their store fails.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { describeWith } from '../../../testing/describe-with'
import { startNonsense, startRedis, type RedisServer } from '../../../testing/redis'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, startTestSite, type Answer, type TestSite } from '../../../testing/site'
import { callApi, sealFor, type ApiInput } from '../../../testing/call-api'
import { freePort } from '../../../testing/free-port'
import { startStopwatch } from '../../../testing/stopwatch'

const rates = {
  RATE_SIGNIN: '3',
  RATE_EVENTS: '5',
  RATE_MESSAGES: '2',
  RATE_VISITOR: '4',
  RATE_SEARCH: '4',
  RATE_MISS: '6',
  RATE_OTHER: '20',
}
const trusting = { ...rates, TRUST_PROXY: '1' }
const info = '/api/home/base-info?lang=en&type=home'
let next = 1
/** An address that no other test uses. */
const newAddress = (): string => `198.51.${next >> 8}.${(next += 1) & 255}`
/** A visitor who allows measuring: without consent little is stored. */
const fromAddress = (address: string): { headers: Record<string, string> } => ({
  headers: { 'X-Forwarded-For': address, Cookie: 'consent=accepted' },
})

const vote = { page: '/docs/profiles', locale: 'en', helpful: true }
const message = { name: 'Ada', email: 'ada@example.com', message: 'Hi', locale: 'en', page: '/' }
/** A fingerprint whose `data` and `base_encode` hold so many bytes each, decoded. */
const fingerprint = (bytes: number) => ({
  log_type: 'canvas',
  data: JSON.stringify('x'.repeat(bytes)),
  base_encode: Buffer.from(JSON.stringify('x'.repeat(bytes))).toString('base64'),
})
/** 512 characters of three bytes. */
const long = '字'.repeat(512)
const ascii = 'a'.repeat(4000)

/** Sends `count` requests at once to the sites in turn; returns how many were not refused. */
async function countAccepted(
  sites: readonly TestSite[],
  count: number,
  address: string,
  path = info,
  method = 'GET',
): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) =>
      sites[index % sites.length]?.get(path, { method, ...fromAddress(address) }),
    ),
  )
  return answers.filter((answer) => answer?.status !== 429).length
}
function expectRefused(answer: Answer): void {
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(JSON.parse(answer.body)).toEqual({ code: 42900, msg: expect.any(String), data: null })
}

describe('two processes of a machine', () => {
  const dataDir = temporaryFolder('limits')
  let sites: TestSite[] = []
  beforeAll(async () => {
    sites = [
      await startTestSite({ ...trusting, DATA_DIR: dataDir }),
      await startTestSite({ ...trusting, DATA_DIR: dataDir }),
      await startTestSite({ ...rates, DATA_DIR: dataDir }),
    ]
  }, 120_000)
  afterAll(async () => {
    for (const site of sites) await site.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const firstTwo = (): TestSite[] => sites.slice(0, 2)

  it('together accept exactly the limit of one address', async () => {
    expect(await countAccepted(firstTwo(), 60, newAddress())).toBe(20)
  })

  it('refuse as JSON with the time to wait', async () => {
    const address = newAddress()
    await countAccepted(firstTwo(), 20, address)
    for (const site of firstTwo()) expectRefused(await site.get(info, fromAddress(address)))
  })

  it('count addresses separately, and a /64 of IPv6 as one', async () => {
    const [one, two] = [newAddress(), newAddress()]
    expect(await countAccepted(firstTwo(), 25, one)).toBe(20)
    expect(await countAccepted(firstTwo(), 15, two)).toBe(15)
    const within = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        firstTwo()[index % 2]?.get(info, fromAddress(`2001:db8:7:8::${index.toString(16)}`)),
      ),
    )
    expect(within.filter((answer) => answer?.status === 200).length).toBe(20)
    expect(await countAccepted(firstTwo(), 5, '2001:db8:7:9::1')).toBe(5)
    expect(await countAccepted(firstTwo(), 5, `::ffff:${one}`)).toBe(0)
  })

  it.each([
    ['sign-in and redeem', '/api/sys/user/passport/redeem', 3],
    ['events', '/api/sys/config/event', 5],
    ['messages', '/api/site/message', 2],
    ['votes', '/api/site/helpful', 4],
    ['web vitals', '/api/site/vitals', 4],
    ['fingerprints', '/api/client/record-data/log', 4],
    ['traffic sources', '/api/sys/user/passport/record-source', 4],
    ['searches', '/api/site/search?q=', 4, 'GET'],
  ])('have a separate limit for %s', async (_, path, limit, method = 'POST') => {
    const address = newAddress()
    expect(await countAccepted(firstTwo(), 20, address)).toBe(20)
    expect(await countAccepted(firstTwo(), 9, address, path, method)).toBe(limit)
    expectRefused((await sites[0]?.get(info, fromAddress(address))) as Answer)
  })

  it('ignore forged headers when no proxy is trusted', async () => {
    const [, , plain] = sites
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () =>
        plain?.get(info, {
          headers: {
            'X-Forwarded-For': newAddress(),
            'X-Real-IP': newAddress(),
            Forwarded: `for=${newAddress()}`,
          },
        }),
      ),
    )
    expect(answers.filter((answer) => answer?.status === 200).length).toBe(20)
  })

  it("ignore addresses to the left of the trusted proxy's entry", async () => {
    const address = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        firstTwo()[index % 2]?.get(info, fromAddress(`${newAddress()}, ${address}`)),
      ),
    )
    expect(answers.filter((answer) => answer?.status === 200).length).toBe(20)
  })

  describe('the daily row budget of an address block', () => {
    const source = (word: string) => ({
      source_data: JSON.stringify({ utm_term: word, utm_source: word, utm_campaign: word }),
    })
    const vitals = { route: 'home', locale: 'en', lcp: 1 }
    const attacks: ReadonlyArray<readonly [string, number, string, ApiInput]> = [
      ['votes', 80, '/site/helpful', { json: vote }],
      ['web vitals', 80, '/site/vitals', { json: vitals }],
      ['fingerprints of 3 KiB', 26, '/client/record-data/log', { form: fingerprint(1500) }],
      ['traffic sources', 80, '/sys/user/passport/record-source', { form: source('a') }],
      ['sources of 5 KiB', 16, '/sys/user/passport/record-source', { form: source(long) }],
      ['referral codes', 80, '/sys/config/ref/set?c_v=a', {}],
      ['messages', 40, '/site/message', { json: message }],
      ['messages of 4 KiB', 10, '/site/message', { json: { ...message, message: ascii } }],
    ]

    /** Sends from 100 addresses of one block at once; returns how many rows were stored. */
    async function countStored(block: string, path: string, input: ApiInput): Promise<number> {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          callApi(sites[0]?.port ?? 0, path, { ...input, ...fromAddress(`${block}.${index}`) }),
        ),
      )
      expect(answers.filter(({ status }) => ![200, 429].includes(status))).toEqual([])
      return answers.filter(({ status }) => status === 200).length
    }

    it.each(attacks.map((attack, index) => [...attack, `203.0.${index}`] as const))(
      'stores of %s only %i',
      async (_title, budget, path, input, block) => {
        expect(await countStored(block, path, input)).toBe(budget)
      },
    )

    it('counts events by their size', async () => {
      const [port = 0] = sites.map((site) => site.port)
      const seal = await sealFor(port, fromAddress('203.0.50.250'))
      const addition = { text: 'x'.repeat(30 * 1024) }
      const event = { id: randomUUID(), ts: 1, kind: 'view', op: 0, url: '/', addition }
      const form = await seal(JSON.stringify({ list: [event], comm: {} }))
      // 5 requests a minute allow 1,000 KiB a day; a batch is 31 KiB.
      expect(await countStored('203.0.50', '/sys/config/event', { form })).toBe(32)
    })

    it('says when to try again, within a day, and leaves other blocks and other calls alone', async () => {
      const vitalsFrom = (address: string) =>
        callApi(sites[0]?.port ?? 0, '/site/vitals', { json: vitals, ...fromAddress(address) })
      const refused = await vitalsFrom('203.0.0.250')
      expect([refused.status, refused.code, refused.data]).toEqual([429, 42900, null])
      const seconds = Number(refused.headers['retry-after'])
      expect([seconds > 60, seconds <= 24 * 60 * 60]).toEqual([true, true])
      expect((await vitalsFrom('203.0.51.1')).data).toEqual({ stored: true })
      expect((await sites[0]?.get(info, fromAddress('203.0.0.250')))?.status).toBe(200)
      expect((await sites[0]?.get('/pricing', fromAddress('203.0.0.250')))?.status).toBe(200)
    })

    it('covers a /48 of IPv6', async () => {
      const addresses = Array.from({ length: 90 }, (_, index) => `2001:db8:1:${index}::1`)
      const answers = await Promise.all(
        addresses.map((address) =>
          callApi(sites[0]?.port ?? 0, '/site/vitals', { json: vitals, ...fromAddress(address) }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200).length).toBe(80)
    })

    it('is shared with the other process and survives a restart', async () => {
      await sites[1]?.stop()
      sites[1] = await startTestSite({ ...trusting, DATA_DIR: dataDir })
      const answer = await callApi(sites[1].port, '/site/vitals', {
        json: vitals,
        ...fromAddress('203.0.0.251'),
      })
      expect(answer.status).toBe(429)
    })
  })

  it('serve pages to an address that has used up its limit', async () => {
    const address = newAddress()
    await countAccepted(firstTwo(), 30, address)
    expect((await sites[0]?.get('/pricing', fromAddress(address)))?.status).toBe(200)
  })
})

it('0 is no limit', async () => {
  const site = await startTestSite({ ...trusting, RATE_OTHER: '0' })
  try {
    expect(await countAccepted([site], 30, newAddress())).toBe(30)
  } finally {
    await site.stop()
  }
}, 60_000)

describe('the API proxy', () => {
  it('applies the limits before it contacts the upstream', async () => {
    const site = await startTestSite({
      ...trusting,
      API_UPSTREAM: `http://127.0.0.1:${await freePort()}`,
    })
    try {
      const address = newAddress()
      expect(await countAccepted([site], 30, address)).toBe(20)
      expect(
        await countAccepted([site], 9, address, '/api/sys/user/passport/authorized-login', 'POST'),
      ).toBe(3)
      expect(await countAccepted([site], 30, newAddress(), '/api/of/its/own', 'POST')).toBe(20)
    } finally {
      await site.stop()
    }
  }, 60_000)
})

describe('an unusable counter file', () => {
  it('makes the process count in memory', async () => {
    const dataDir = temporaryFolder('limits')
    mkdirSync(join(dataDir, 'limits.db'))
    const site = await startTestSite({ ...trusting, DATA_DIR: dataDir })
    try {
      expect(await countAccepted([site], 30, newAddress())).toBe(20)
      expect(site.logs.filter(({ msg }) => msg.startsWith('limits.db cannot be used')).length).toBe(
        1,
      )
    } finally {
      await site.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }, 60_000)
})

describeWith(['redis'], 'two machines with one Redis', (programs) => {
  let redis: RedisServer
  let sites: TestSite[] = []
  beforeAll(async () => {
    redis = await startRedis(programs.redis)
    sites = await Promise.all(
      [1, 2].map(() => startTestSite({ ...trusting, REDIS_URL: redis.url })),
    )
  }, 120_000)
  afterAll(async () => {
    for (const site of sites) await site.stop()
    await redis.stop()
  })

  /** On a busy machine a command may take 100 ms: the breaker opens and closes again. */
  const untilShared = (): Promise<void> =>
    eventually(async () => expect(await countAccepted(sites, 60, newAddress())).toBe(20))
  it('share the counters', untilShared)

  it('count in the file while Redis hangs, at a cost of 100 ms once, and share again afterwards', async () => {
    const [site] = sites
    redis.child.kill('SIGSTOP')
    const times: number[] = []
    for (let count = 0; count < 12; count += 1) {
      const elapsed = startStopwatch()
      expect((await site?.get(info, fromAddress(newAddress())))?.status).toBe(200)
      times.push(elapsed())
    }
    expect(times.filter((time) => time > 95).length).toBeLessThanOrEqual(2)
    expect(await countAccepted(site ? [site] : [], 30, newAddress())).toBe(20)
    expect((await site?.get('/pricing'))?.status).toBe(200)
    redis.child.kill('SIGCONT')
    await eventually(() =>
      expect(site?.logs.some(({ msg }) => msg === 'Redis answers again')).toBe(true),
    )
    await untilShared()
  }, 60_000)

  it('count in the file when Redis has ended', async () => {
    await redis.stop()
    expect(await countAccepted(sites.slice(0, 1), 30, newAddress())).toBe(20)
    expect((await sites[1]?.get('/pricing'))?.status).toBe(200)
  })
})

it('a server that does not speak the protocol of Redis is treated as unavailable', async () => {
  const nonsense = await startNonsense()
  const site = await startTestSite({ ...trusting, REDIS_URL: `redis://127.0.0.1:${nonsense.port}` })
  try {
    expect(await countAccepted([site], 30, newAddress())).toBe(20)
    expect(site.child.exitCode).toBeNull()
  } finally {
    await site.stop()
    await nonsense.stop()
  }
}, 60_000)
