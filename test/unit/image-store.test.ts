import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createEncodeQueue } from '../../server/images/encode-queue'
import { openImageDatabase, type ImageDatabase } from '../../server/images/image-database'
import { createVariantStore, variantPath } from '../../server/images/variant-store'
import { createLogger } from '../../server/telemetry/logger'

const log = createLogger('silent')
let folder: string
let databases: ImageDatabase[]
const database = (): ImageDatabase => {
  const db = openImageDatabase(folder)
  databases.push(db)
  return db
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-images-'))
  databases = []
})
afterEach(() => {
  for (const db of databases) if (db.open) db.close()
  rmSync(folder, { recursive: true, force: true })
})

const keyOf = (index: number): string => index.toString(16).padStart(32, '0')
const storeOf = (diskBytes: number, builtIn: string | null = null) =>
  createVariantStore({ db: database(), folder, builtIn, diskBytes, memoryBytes: 100_000, log })
const storedBytes = (): number =>
  readdirSync(folder)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) =>
      readdirSync(join(folder, name)).map((key) => statSync(join(folder, name, key)).size),
    )
    .reduce((sum, size) => sum + size, 0)

describe('the store of pictures', () => {
  it('keeps what it is given, for every process', async () => {
    await storeOf(10_000).keep(keyOf(1), Buffer.from('picture'))
    expect((await storeOf(10_000).read(keyOf(1)))?.toString()).toBe('picture')
    expect(await storeOf(10_000).read(keyOf(2))).toBeNull()
  })

  it('stays within its bound and lets the longest unused go', async () => {
    const store = storeOf(5000)
    for (let index = 0; index < 16; index += 1) {
      await store.keep(keyOf(index), Buffer.alloc(600, index))
      expect(storedBytes()).toBeLessThanOrEqual(5000)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(existsSync(variantPath(folder, keyOf(15)))).toBe(true)
    expect(existsSync(variantPath(folder, keyOf(0)))).toBe(false)
    // Too large for the store altogether: sent, but not kept, and nobody leaves for it.
    await store.keep(keyOf(99), Buffer.alloc(6000))
    expect(existsSync(variantPath(folder, keyOf(15)))).toBe(true)
  }, 60_000)

  it('reads what the build has made', async () => {
    const builtIn = join(folder, 'built')
    mkdirSync(join(builtIn, '00'), { recursive: true })
    writeFileSync(variantPath(builtIn, keyOf(3)), 'from the build')
    expect((await storeOf(10_000, builtIn).read(keyOf(3)))?.toString()).toBe('from the build')
  })

  it('gives the picture also when nothing can be written', async () => {
    const store = storeOf(10_000)
    writeFileSync(join(folder, '00'), 'a file where a folder should be')
    await store.keep(keyOf(1), Buffer.from('picture'))
    expect((await store.read(keyOf(1)))?.toString()).toBe('picture')
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('removes what a killed process left behind, and nothing that is being written', async () => {
    const store = storeOf(10_000)
    await store.keep(keyOf(1), Buffer.from('known'))
    const left = [join(folder, 'old.tmp'), variantPath(folder, keyOf(2))]
    for (const path of [...left, join(folder, 'new.tmp')]) writeFileSync(path, 'x')
    for (const path of left) utimesSync(path, 1, 1)
    await store.tidy()
    expect(left.map((path) => existsSync(path))).toEqual([false, false])
    expect([
      existsSync(join(folder, 'new.tmp')),
      existsSync(variantPath(folder, keyOf(1))),
    ]).toEqual([true, true])
  })
})

describe('the queue of encodes', () => {
  const options = { slots: 2, waiting: 3, maxWait: 2000 }
  const none = async (): Promise<null> => null
  const pause = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time))

  it('computes a key once for all who ask, also in another process', async () => {
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
    const asked = [one, one, one, two, two].map(
      (queue) => queue.join('key', async () => result, make).done,
    )
    expect((await Promise.all(asked)).map(String)).toEqual(['done', 'done', 'done', 'done', 'done'])
    expect(made).toBe(1)
  })

  it('never runs more at once than there are slots, over all processes', async () => {
    const queues = [
      createEncodeQueue({ db: database(), ...options, waiting: 50 }),
      createEncodeQueue({ db: database(), ...options, waiting: 50 }),
    ]
    let [running, most] = [0, 0]
    await Promise.all(
      Array.from(
        { length: 20 },
        (_, index) =>
          queues[index % 2]?.join(`key ${index}`, none, async () => {
            most = Math.max(most, (running += 1))
            await pause(10)
            running -= 1
            return Buffer.alloc(1)
          }).done,
      ),
    )
    expect(most).toBe(2)
  })

  it('tells who finds no room to come later, and takes others again afterwards', async () => {
    const queue = createEncodeQueue({ db: database(), ...options })
    const slow = async (): Promise<Buffer> => {
      await pause(100)
      return Buffer.alloc(1)
    }
    const answers = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) => queue.join(`key ${index}`, none, slow).done),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused).toHaveLength(4)
    expect(refused[0]).toMatchObject({ reason: { status: 503, headers: { 'Retry-After': '2' } } })
    expect(await queue.join('later', none, slow).done).toHaveLength(1)
  })

  it('does not begin what nobody waits for any more', async () => {
    const queue = createEncodeQueue({ db: database(), ...options, slots: 1 })
    const first = queue.join('first', none, async () => {
      await pause(50)
      return Buffer.alloc(1)
    })
    let begun = false
    const second = queue.join('second', none, async () => {
      begun = true
      return Buffer.alloc(1)
    })
    second.leave()
    await expect(second.done).rejects.toMatchObject({ status: 503 })
    await first.done
    expect(begun).toBe(false)
  })

  it('takes over from a process that died', async () => {
    const db = database()
    db.prepare('INSERT INTO jobs VALUES (?, ?)').run('key', Date.now() + 200)
    const started = Date.now()
    await createEncodeQueue({ db, ...options }).join('key', none, async () => Buffer.alloc(1)).done
    expect(Date.now() - started).toBeGreaterThanOrEqual(150)
  })

  it('goes on by itself when the ledger fails', async () => {
    const db = database()
    const queue = createEncodeQueue({ db, ...options })
    db.close()
    expect((await queue.join('key', none, async () => Buffer.from('made')).done).toString()).toBe(
      'made',
    )
  })

  it('passes a failure on and can be asked again', async () => {
    const queue = createEncodeQueue({ db: database(), ...options })
    await expect(
      queue.join('key', none, () => Promise.reject(new Error('broken'))).done,
    ).rejects.toThrow('broken')
    expect((await queue.join('key', none, async () => Buffer.from('made')).done).toString()).toBe(
      'made',
    )
  })
})
