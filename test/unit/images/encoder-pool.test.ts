import childProcess, { type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { createEncoderPool } from '../../../server/images/encoder-pool'
import { createLogger } from '../../../server/telemetry/logger'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually } from '../../../testing/site'

it('a job that arrives as an idle encoder is ended gets another one', async () => {
  const idleTimeoutMs = 20
  const encoderScript = join(temporaryFolder('encoder'), 'encoder.js')
  writeFileSync(
    encoderScript,
    "process.on('message', ({ id, bytes }) => process.send({ id, bytes }))",
  )
  const pool = createEncoderPool({ encoderScript, log: createLogger('silent'), idleTimeoutMs })
  const job = { bytes: Buffer.from('image'), width: null, format: 'png', quality: 80 } as const
  const results: string[] = []
  for (let round = 0; round < 10; round += 1) {
    results.push((await pool.encode(job, 30_000)).toString())
    // The timer of the pool was set first, so it fires first; the exit is noticed later.
    await sleep(idleTimeoutMs)
  }
  await pool.close()
  expect(results).toEqual(Array.from({ length: 10 }, () => 'image'))
}, 60_000)

it('an image that ends its encoder counts as broken, and the next one gets another encoder', async () => {
  const encoderScript = join(temporaryFolder('encoder'), 'encoder.js')
  writeFileSync(
    encoderScript,
    `process.on('message', ({ id, bytes }) =>
      String(bytes) === 'bomb' ? process.exit(1) : process.send({ id, bytes }))`,
  )
  const pool = createEncoderPool({ encoderScript, log: createLogger('silent') })
  const encode = (text: string): Promise<Buffer> =>
    pool.encode({ bytes: Buffer.from(text), width: null, format: 'png', quality: 80 }, 60_000)
  await expect(encode('bomb')).rejects.toMatchObject({ status: 415, error: 'notAnImage' })
  expect(String(await encode('image'))).toBe('image')
  await pool.close()
})

describe('an encoder that does not reply', () => {
  const encoderScript = join(temporaryFolder('encoder'), 'encoder.js')
  writeFileSync(encoderScript, "process.on('message', () => undefined)")
  const job = { bytes: Buffer.alloc(1), width: null, format: 'png', quality: 80 } as const
  const start = () => createEncoderPool({ encoderScript, log: createLogger('silent') })
  const processes = (): number =>
    process.getActiveResourcesInfo().filter((type) => type === 'ProcessWrap').length

  it('is ended at the time limit, and the client may ask again in a minute', async () => {
    const pool = start()
    await expect(pool.encode(job, 100)).rejects.toMatchObject({
      status: 503,
      message: 'Encoding the picture took too long',
      headers: { 'Retry-After': '60' },
    })
    await eventually(() => expect(processes()).toBe(0))
    await pool.close()
  })

  it('is ended when the server closes, and its picture does not count as broken', async () => {
    const pool = start()
    const refused = expect(pool.encode(job, 60_000)).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '2' },
    })
    expect(processes()).toBe(1)
    await pool.close()
    await refused
  })
})

describe('an encoder process that cannot be started', () => {
  const job = { bytes: Buffer.from('image'), width: null, format: 'png', quality: 80 } as const
  const encoderScript = join(temporaryFolder('encoder'), 'encoder.js')
  writeFileSync(
    encoderScript,
    "process.on('message', ({ id, bytes }) => process.send({ id, bytes }))",
  )
  const failure = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code })
  const busy = { error: 'imagesBusy', headers: { 'Retry-After': '2' } }
  const startNothing = (): ChildProcess =>
    childProcess.spawn('/nowhere/node', { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  afterEach(() => void jest.restoreAllMocks())

  it.each<[string, () => ChildProcess]>([
    ['its program is missing', startNothing],
    [
      'too many files are open',
      () => {
        // Then the process of Node has no `send`. The cast: the pool uses nothing else of it.
        const child = Object.assign(new EventEmitter(), { connected: false, kill: () => false })
        process.nextTick(() => child.emit('error', failure('EMFILE')))
        return child as unknown as ChildProcess
      },
    ],
    [
      'there is too little memory',
      () => {
        throw failure('ENOMEM')
      },
    ],
  ])('makes images busy when %s, and the next one gets another', async (_name, start) => {
    jest.spyOn(childProcess, 'fork').mockImplementationOnce(start)
    const pool = createEncoderPool({ encoderScript, log: createLogger('silent') })
    await expect(pool.encode(job, 2000)).rejects.toMatchObject(busy)
    expect(String(await pool.encode(job, 30_000))).toBe('image')
    await pool.close()
  })

  it('is not waited for when the server closes', async () => {
    jest.spyOn(childProcess, 'fork').mockImplementationOnce(startNothing)
    const pool = createEncoderPool({ encoderScript, log: createLogger('silent') })
    const refused = expect(pool.encode(job, 2000)).rejects.toMatchObject(busy)
    await pool.close()
    await refused
  })
})
