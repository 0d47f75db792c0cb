/**
 * The second level of the page cache and the purges of all machines, on a real Redis: late, lost
 * and invalid messages.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { inlineBackground } from '../../../testing/inline-background'
import {
  createSecondLevel,
  type AnswerVersion,
  type SecondLevel,
} from '../../../server/cache/second-level'
import { startSharedPurges, type SharedPurges } from '../../../server/cache/shared-purges'
import type { StoredAnswer } from '../../../server/cache/stored-answer'
import { connectRedis, type RedisConnection } from '../../../server/db/connect-redis'
import type { PurgeRequest } from '../../../shared/console/system'
import { describeWith } from '../../../testing/describe-with'
import { startRedis, type RedisServer } from '../../../testing/redis'
import { eventually } from '../../../testing/site'

type Process = {
  redis: RedisConnection
  purges: SharedPurges
  secondLevel: SecondLevel
  applied: PurgeRequest[]
}

async function answerWith(tags: string[], storedAt = Date.now()): Promise<StoredAnswer> {
  const answer: StoredAnswer = {
    status: 200,
    headers: { 'Content-Type': 'text/html' },
    body: Buffer.from(`<p>${'text '.repeat(500)}</p>`),
    encoded: {},
    etag: 'e',
    storedAt,
    tags,
    route: 'doc',
    locale: 'en',
    negotiated: false,
    queryMatters: false,
  }
  return { ...answer, encoded: await inlineBackground.compress(answer) }
}

describeWith(['redis'], 'what processes share through Redis', (programs) => {
  let server: RedisServer
  let operator: Redis
  const content = { state: 'one' }
  const running: Process[] = []
  const ttl = 60_000
  const day = 86_400_000

  async function join(): Promise<Process> {
    const applied: PurgeRequest[] = []
    const redis = await connectRedis(server.url, { info: () => undefined, warn: () => undefined })
    const purges = startSharedPurges(
      redis,
      { en: 'http://localhost', zh: 'http://zh.localhost', ru: 'http://ru.localhost' },
      (request) => applied.push(request),
      () => undefined,
    )
    const secondLevel = createSecondLevel({
      redis,
      purges,
      stamp: 'build and settings',
      contentState: () => content.state,
      ttlMs: ttl,
      onError: () => undefined,
    })
    const process = { redis, purges, secondLevel, applied }
    running.push(process)
    await eventually(() => expect(purges.generation()).not.toBeNull())
    // A process whose first attempt failed has purged everything.
    applied.length = 0
    return process
  }
  const versionOf = ({ secondLevel }: Process): AnswerVersion =>
    secondLevel.currentVersion() ?? { contentState: 'none', generation: -1 }
  async function store(
    process: Process,
    key: string,
    answer: StoredAnswer,
    version = versionOf(process),
  ): Promise<void> {
    const before = process.secondLevel.counts().stored
    await eventually(() => {
      process.secondLevel.write(key, answer, version)
      expect(process.purges.generation()).not.toBeNull()
    })
    await eventually(() => expect(process.secondLevel.counts().stored).toBeGreaterThan(before))
  }
  const read = (process: Process, key: string): Promise<StoredAnswer | null> =>
    process.secondLevel.read(key, versionOf(process))
  const agree = (...processes: Process[]): Promise<void> =>
    eventually(async () => {
      const said = await operator.get('site:{purges}:generation')
      expect(processes.map(({ purges }) => String(purges.generation()))).toEqual(
        processes.map(() => said),
      )
    })

  beforeAll(async () => {
    server = await startRedis(programs.redis)
    operator = new Redis(server.url)
    operator.on('error', () => undefined)
  }, 60_000)
  afterAll(async () => {
    for (const { purges, redis } of running) {
      purges.stop()
      redis.close()
    }
    operator?.disconnect()
    await server?.stop()
  })

  it('an answer is returned unchanged to processes with the same content', async () => {
    const [a, b] = [await join(), await join()]
    const answer = await answerWith(['docs/a'])
    await store(a, 'en /docs/a', answer)
    expect(await read(b, 'en /docs/a')).toEqual({ ...answer, encoded: { br: answer.encoded.br } })
    expect(await read(b, 'en /docs/b')).toBeNull()
    content.state = 'two'
    expect(await read(b, 'en /docs/a')).toBeNull()
    content.state = 'one'
    // The content changed while the answer was made, so its version is unknown.
    const version = { ...versionOf(a), contentState: 'zero' }
    a.secondLevel.write('en /docs/c', answer, version)
    const life = await operator.pttl((await operator.keys('site:answer:*'))[0] ?? '')
    expect([(await operator.keys('site:answer:*')).length, life > day, life <= day + ttl]).toEqual([
      1,
      true,
      true,
    ])
    await store(a, 'en /docs/old', await answerWith([], Date.now() - ttl - 1000))
    expect(await read(b, 'en /docs/old')).not.toBeNull()
  })

  it('an answer of more than 512 KiB is not shared', async () => {
    const [a] = [await join()]
    const answer = await answerWith(['docs/large'])
    const large = { ...answer, body: randomBytes(600 * 1024), encoded: {} }
    const encoded = await inlineBackground.compress(large)
    a.secondLevel.write('en /large', { ...large, encoded }, versionOf(a))
    await store(a, 'en /after', answer)
    expect([await read(a, 'en /large'), (await read(a, 'en /after'))?.tags]).toEqual([
      null,
      ['docs/large'],
    ])
  })

  it('an answer begun before a purge and written after it is refused; other answers stay', async () => {
    const [a, b] = [await join(), await join()]
    const version = versionOf(a)
    a.purges.announce({ tags: ['docs/x'] })
    await agree(a, b)
    await store(a, 'en /docs/x', await answerWith(['docs/x', 'site']), version)
    await store(a, 'en /docs/y', await answerWith(['docs/y', 'site']), version)
    for (const process of [a, b, await join()])
      expect([
        await read(process, 'en /docs/x'),
        (await read(process, 'en /docs/y'))?.tags,
      ]).toEqual([null, ['docs/y', 'site']])
    await store(b, 'en /docs/x', await answerWith(['docs/x', 'site']))
    expect(await read(a, 'en /docs/x')).not.toBeNull()
    expect([a.applied, b.applied]).toEqual([[], [{ tags: ['docs/x'] }]])
  })

  it('a process that was disconnected applies missed purges once and in order', async () => {
    const [a, b] = [await join(), await join()]
    for (let index = 0; index < 5; index += 1) {
      a.purges.announce({ paths: [`/${index}`] })
      if (index % 2 === 0) await operator.client('KILL', 'TYPE', 'PUBSUB')
    }
    await agree(a, b)
    expect(b.applied).toEqual(Array.from({ length: 5 }, (_, index) => ({ paths: [`/${index}`] })))
  })

  it('a process purges everything when it missed more than is remembered, or when Redis lost its data', async () => {
    const [a, b] = [await join(), await join()]
    const old = versionOf(a)
    await operator.flushall()
    await agree(a, b)
    expect([a.applied, b.applied]).toEqual([[{ all: true }], [{ all: true }]])
    await store(a, 'en /docs/z', await answerWith([]), old)
    expect(await read(b, 'en /docs/z')).toBeNull()
    await operator.incrby('site:{purges}:generation', 1000)
    await agree(a, b)
    expect(b.applied).toEqual([{ all: true }, { all: true }])
  })

  it('any other value in Redis is a miss', async () => {
    const [a] = [await join()]
    await operator.flushall()
    await agree(a)
    await store(a, 'en /docs/a', await answerWith([]))
    const [address = ''] = await operator.keys('site:answer:*')
    const good = (await operator.getBuffer(address)) ?? Buffer.alloc(0)
    const flipped = (at: number): Buffer =>
      Buffer.from(good.map((byte: number, index: number) => (index === at ? byte ^ 1 : byte)))
    const lie = async (
      more: Partial<StoredAnswer>,
      version: Partial<AnswerVersion> = {},
    ): Promise<Buffer> => {
      await store(
        a,
        'en /docs/a',
        { ...(await answerWith([])), ...more },
        { ...versionOf(a), ...version },
      )
      return (await operator.getBuffer(address)) ?? Buffer.alloc(0)
    }
    const nonsense = [
      '',
      'garbage',
      '\n\n',
      good.subarray(0, good.length - 1),
      good.subarray(40),
      Buffer.concat([good, Buffer.from('x')]),
      flipped(3),
      flipped(60),
      flipped(good.length - 5),
      'x'.repeat(600 * 1024),
      await lie({ storedAt: Date.now() + 2 * day }),
      await lie({}, { generation: Date.now() * 2 }),
    ]
    for (const value of nonsense) {
      await operator.set(address, value)
      expect(await read(a, 'en /docs/a')).toBeNull()
    }
    await operator.del(address)
    await operator.rpush(address, 'a', 'list')
    expect(await read(a, 'en /docs/a')).toBeNull()
    await operator.set(address, good)
    expect(await read(a, 'en /docs/a')).not.toBeNull()
    // Invalid values are not taken for a purge number or a purge.
    await operator.set('site:{purges}:generation', 'garbage')
    expect(await read(a, 'en /docs/a')).toBeNull()
    await operator.publish('site:{purges}:channel', 'garbage')
    await agree(a)
    expect(a.applied.at(-1)).toEqual({ all: true })
    await store(a, 'en /docs/a', await answerWith([]))
    expect(await read(a, 'en /docs/a')).not.toBeNull()
  })

  it('a purge that cannot be announced is announced when Redis is back; until then nothing is shared', async () => {
    const [a, b] = [await join(), await join()]
    await server.stop()
    a.purges.announce({ tags: ['late'] })
    expect([a.purges.generation(), a.secondLevel.currentVersion()]).toEqual([null, null])
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(a.secondLevel.currentVersion()).toBeNull()
    server = await startRedis(programs.redis, server.port)
    await eventually(() => expect(a.purges.generation()).not.toBeNull())
    await eventually(async () =>
      expect(await operator.zrange('site:{purges}:log', '0', '-1')).toEqual([
        expect.stringContaining('{"tags":["late"]}'),
      ]),
    )
    await agree(a, b)
    expect(b.applied[0]).toEqual({ all: true })
  })
})
