import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { createEncodeQueue } from '../../../server/images/encode-queue'
import { openImageDatabase, type ImageDatabase } from '../../../server/images/image-database'
import { createPictureStore } from '../../../server/images/social/picture-store'
import { createVariantStore, variantPath } from '../../../server/images/variant-store'
import { createLogger } from '../../../server/telemetry/logger'
import { eventually } from '../../../testing/site'
import { temporaryFolder } from '../../../testing/release-with-tests'

const log = createLogger('silent')
let folder: string
let databases: ImageDatabase[]
const database = (): ImageDatabase => {
  const db = openImageDatabase(folder)
  databases.push(db)
  return db
}
beforeEach(() => {
  folder = temporaryFolder('images')
  databases = []
})
afterEach(() => {
  for (const db of databases) if (db.open) db.close()
  rmSync(folder, { recursive: true, force: true })
})

const keyOf = (index: number): string => index.toString(16).padStart(32, '0')
const storeOf = (maxDiskBytes: number, prebuiltFolder: string | null = null) =>
  createVariantStore({
    db: database(),
    folder,
    prebuiltFolder,
    maxDiskBytes,
    maxMemoryBytes: 100_000,
    log,
  })
const storedBytes = (): number =>
  readdirSync(folder)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) =>
      readdirSync(join(folder, name)).map((key) => statSync(join(folder, name, key)).size),
    )
    .reduce((sum, size) => sum + size, 0)

describe('the variant store', () => {
  it('shares its variants between processes', async () => {
    await storeOf(10_000).write(keyOf(1), Buffer.from('picture'))
    expect((await storeOf(10_000).read(keyOf(1)))?.toString()).toBe('picture')
    expect(await storeOf(10_000).read(keyOf(2))).toBeNull()
  })

  it('stays within its limit and evicts the variants unused the longest', async () => {
    const store = storeOf(5000)
    for (let index = 0; index < 16; index += 1) {
      await store.write(keyOf(index), Buffer.alloc(600, index))
      expect(storedBytes()).toBeLessThanOrEqual(5000)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(existsSync(variantPath(folder, keyOf(15)))).toBe(true)
    expect(existsSync(variantPath(folder, keyOf(0)))).toBe(false)
    // Larger than the limit of the store: served but not stored, and nothing is evicted.
    await store.write(keyOf(99), Buffer.alloc(6000))
    expect(existsSync(variantPath(folder, keyOf(15)))).toBe(true)
  }, 60_000)

  it('reads the variants that the build encoded', async () => {
    const prebuiltFolder = join(folder, 'built')
    mkdirSync(join(prebuiltFolder, '00'), { recursive: true })
    writeFileSync(variantPath(prebuiltFolder, keyOf(3)), 'from the build')
    expect((await storeOf(10_000, prebuiltFolder).read(keyOf(3)))?.toString()).toBe(
      'from the build',
    )
  })

  it('returns the image even if nothing can be written', async () => {
    const store = storeOf(10_000)
    writeFileSync(join(folder, '00'), 'a file where a folder should be')
    await store.write(keyOf(1), Buffer.from('picture'))
    expect((await store.read(keyOf(1)))?.toString()).toBe('picture')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('deletes what a killed process left, but no file that is being written', async () => {
    const store = storeOf(10_000)
    await store.write(keyOf(1), Buffer.from('known'))
    const left = [join(folder, 'old.tmp'), variantPath(folder, keyOf(2))]
    for (const path of [...left, join(folder, 'new.tmp')]) writeFileSync(path, 'x')
    for (const path of left) utimesSync(path, 1, 1)
    await store.removeLeftovers()
    expect(left.map((path) => existsSync(path))).toEqual([false, false])
    expect([
      existsSync(join(folder, 'new.tmp')),
      existsSync(variantPath(folder, keyOf(1))),
    ]).toEqual([true, true])
  })

  it('returns an image that is on disk even if its use cannot be recorded', async () => {
    await storeOf(10_000).write(keyOf(1), Buffer.from('picture'))
    const warn = jest.spyOn(log, 'warn')
    const db = database()
    const store = createVariantStore({
      db,
      folder,
      prebuiltFolder: null,
      maxDiskBytes: 10_000,
      maxMemoryBytes: 100_000,
      log,
    })
    db.close()
    expect((await store.read(keyOf(1)))?.toString()).toBe('picture')
    expect(warn.mock.calls.map(([, text]) => text)).toEqual([
      'the use of an image could not be recorded',
    ])
  })
})

describe('the store of sharing pictures', () => {
  const hashOf = (index: number): string => index.toString(16).padStart(16, '0')
  const stored = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.png'))
  /** Writes pictures with the numbers 1 to `count`, as if they had been used in this order. */
  const fill = (count: number): void => {
    for (let index = 1; index <= count; index += 1) {
      const path = join(folder, `${hashOf(index)}.png`)
      writeFileSync(path, Buffer.alloc(1000, index))
      utimesSync(path, index, index)
    }
  }

  it('keeps three quarters of its limit once it is full: the pictures used last', async () => {
    fill(8)
    const store = createPictureStore(folder, 8000)
    expect(await store.read(hashOf(1))).toEqual(Buffer.alloc(1000, 1))
    await eventually(() =>
      expect(statSync(join(folder, `${hashOf(1)}.png`)).mtimeMs).toBeGreaterThan(1e6),
    )
    await store.write(hashOf(9), Buffer.alloc(1000))
    expect(stored().sort()).toEqual([1, 5, 6, 7, 8, 9].map((index) => `${hashOf(index)}.png`))
    await store.write(hashOf(10), Buffer.alloc(1000))
    expect(stored()).toHaveLength(7)
  })

  it('counts again after a write that failed', async () => {
    const store = createPictureStore(folder, 8000)
    await store.write(hashOf(0), Buffer.alloc(1000))
    mkdirSync(join(folder, `${hashOf(20)}.${process.pid}.tmp`))
    await store.write(hashOf(20), Buffer.alloc(1000))
    expect(stored()).toEqual([`${hashOf(0)}.png`])
    fill(8)
    await store.write(hashOf(9), Buffer.alloc(1000))
    expect(stored()).toHaveLength(6)
  })
})

describe('the encode queue', () => {
  const options = { maxConcurrent: 2, maxWaiting: 3, maxWaitMs: 2000 }
  const none = (): Promise<null> => Promise.resolve(null)
  const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time))

  it('encodes a key once for all requests, also over processes', async () => {
    const [one, two] = [
      createEncodeQueue({ db: database(), ...options }),
      createEncodeQueue({ db: database(), ...options }),
    ]
    let made = 0
    let result: Buffer | null = null
    const make = async (): Promise<Buffer> => {
      made += 1
      await pause(60)
      return (result = Buffer.from('done'))
    }
    const results = [one, one, one, two, two].map(
      (queue) => queue.join('key', () => Promise.resolve(result), make).result,
    )
    expect((await Promise.all(results)).map(String)).toEqual([
      'done',
      'done',
      'done',
      'done',
      'done',
    ])
    expect(made).toBe(1)
  })

  it('never runs more at once than there are slots, over all processes', async () => {
    const queues = [
      createEncodeQueue({ db: database(), ...options, maxWaiting: 50 }),
      createEncodeQueue({ db: database(), ...options, maxWaiting: 50 }),
    ] as const
    let [running, most] = [0, 0]
    await Promise.all(
      Array.from(
        { length: 20 },
        (_, index) =>
          queues[index % 2 === 0 ? 0 : 1].join(`key ${index}`, none, async () => {
            most = Math.max(most, (running += 1))
            await pause(10)
            running -= 1
            return Buffer.alloc(1)
          }).result,
      ),
    )
    expect(most).toBe(2)
  })

  it('refuses jobs while it is full, and accepts jobs again afterwards', async () => {
    const queue = createEncodeQueue({ db: database(), ...options })
    const slow = async (): Promise<Buffer> => {
      await pause(100)
      return Buffer.alloc(1)
    }
    const answers = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) => queue.join(`key ${index}`, none, slow).result),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused).toHaveLength(4)
    expect(refused[0]).toMatchObject({ reason: { status: 503, headers: { 'Retry-After': '2' } } })
    expect(await queue.join('later', none, slow).result).toHaveLength(1)
  })

  it('does not start a job that no request waits for', async () => {
    const queue = createEncodeQueue({ db: database(), ...options, maxConcurrent: 1 })
    const first = queue.join('first', none, async () => {
      await pause(50)
      return Buffer.alloc(1)
    })
    let begun = false
    const second = queue.join('second', none, () => {
      begun = true
      return Promise.resolve(Buffer.alloc(1))
    })
    second.leave()
    await expect(second.result).rejects.toMatchObject({ status: 503 })
    await first.result
    expect(begun).toBe(false)
  })

  it('takes over the job of a process that was killed', async () => {
    const db = database()
    db.prepare('INSERT INTO jobs VALUES (?, ?)').run('key', Date.now() + 200)
    const started = Date.now()
    await createEncodeQueue({ db, ...options }).join('key', none, () =>
      Promise.resolve(Buffer.alloc(1)),
    ).result
    expect(Date.now() - started).toBeGreaterThanOrEqual(150)
  })

  it('works without the database', async () => {
    const db = database()
    const queue = createEncodeQueue({ db, ...options })
    db.close()
    expect(
      (await queue.join('key', none, () => Promise.resolve(Buffer.from('made'))).result).toString(),
    ).toBe('made')
  })

  it('passes an error on and retries with the next request', async () => {
    const queue = createEncodeQueue({ db: database(), ...options })
    await expect(
      queue.join('key', none, () => Promise.reject(new Error('broken'))).result,
    ).rejects.toThrow('broken')
    expect(
      (await queue.join('key', none, () => Promise.resolve(Buffer.from('made'))).result).toString(),
    ).toBe('made')
  })
})
