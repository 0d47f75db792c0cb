import { expect, it } from '@jest/globals'
import { readVitals } from '../../../server/db/insight-rows'
import { openMemoryDatabase } from '../../../testing/memory-database'

it('web vitals come newest first in several batches, each once, also those of one moment', async () => {
  const database = await openMemoryDatabase()
  // More than two batches. The end of the first is between measurements of the same moment.
  const rows = Array.from({ length: 4100 }, (_, index) => ({
    at: Math.floor(index / 1000),
    route: String(index),
    locale: 'en',
    lcp: null,
    inp: null,
    cls: null,
    fcp: null,
    ttfb: null,
  }))
  await database.run(async (db) => {
    for (let start = 0; start < rows.length; start += 1000)
      await db
        .insertInto('vitals')
        .values(rows.slice(start, start + 1000))
        .execute()
  })
  const read = async (maxRows: number): Promise<string[][]> => {
    const batches: string[][] = []
    for await (const batch of readVitals(database, { since: 0, until: 10 }, maxRows))
      batches.push(batch.map(({ route }) => route))
    return batches
  }
  const newestFirst = rows.map(({ route }) => route).reverse()
  const batches = await read(10_000)
  expect(batches.map(({ length }) => length)).toEqual([2000, 2000, 100])
  expect(batches.flat()).toEqual(newestFirst)
  expect((await read(2500)).flat()).toEqual(newestFirst.slice(0, 2500))
  await database.close()
})
