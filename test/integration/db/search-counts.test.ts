import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { sql } from 'kysely'
import { dayMs } from '../../../shared/constants'
import { openDatabase, type Database } from '../../../server/db/database'
import { prune } from '../../../server/db/prune'
import { addSearchCounts, topSearches, type SearchCount } from '../../../server/db/search-counts'
import { describeWith } from '../../../testing/describe-with'
import { startPostgres, type PostgresServer } from '../../../testing/postgres'
import { buildFolder } from '../../../testing/root'
import { eventually } from '../../../testing/site'
import { describeOnStores, type TestStore } from '../../../testing/stores'

const keptDays = 365
/** A day by its distance from the end of a month. */
const timeOf = (index: number): number => Date.parse('2026-01-26') + index * dayMs
const dayOf = (index: number): string => new Date(timeOf(index)).toISOString().slice(0, 10)

const search = fc.record({
  day: fc.integer({ min: 0, max: 11 }).map(dayOf),
  locale: fc.constantFrom('en', 'zh'),
  query: fc.constantFrom('proxy', 'cookies', '代理', "o'hara %_"),
  count: fc.integer({ min: 1, max: 5 }),
  results: fc.integer({ min: 0, max: 3 }),
})
/** The table and the row that a search is counted in. */
const keyOf = ({ day, locale, query, results }: SearchCount): string =>
  [day, locale, query, results > 0].join('\n')
const steps = fc.array(
  fc.oneof(
    fc.record({ add: fc.uniqueArray(search, { selector: keyOf, maxLength: 12 }) }),
    fc.record({ firstDay: fc.integer({ min: 0, max: 12 }) }),
  ),
  { minLength: 1, maxLength: 6 },
)
/** Most periods begin or end near the ends of the days, so that they have almost all of them. */
const periods = fc.array(
  fc.record({
    from: fc.oneof(fc.integer({ min: -1, max: 1 }), fc.integer({ min: 0, max: 12 })),
    to: fc.oneof(fc.integer({ min: 10, max: 12 }), fc.integer({ min: -1, max: 12 })),
    locale: search.map((row) => row.locale),
  }),
  { minLength: 6, maxLength: 6 },
)

type Sum = { locale: string; query: string; count: number; results: number }
/** Sums of rows by language and query, most frequent first. */
function sumsOf(rows: readonly SearchCount[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { locale, query, count, results } of rows) {
    const key = `${locale} ${query}`
    const sum = sums.get(key) ?? { locale, query, count: 0, results: 0 }
    sums.set(key, {
      ...sum,
      count: sum.count + count,
      results: Math.max(sum.results, results),
    })
  }
  return inOrder([...sums.values()])
}
const inOrder = <Row extends Omit<Sum, 'results'>>(rows: readonly Row[]): Row[] =>
  rows.toSorted(
    (one, two) =>
      two.count - one.count ||
      (`${one.locale} ${one.query}` < `${two.locale} ${two.query}` ? -1 : 1),
  )

const openStore = (url: string): Database =>
  openDatabase({
    url,
    script: join(buildFolder(), 'server', 'sqlite-worker.js'),
    log: { error: () => undefined },
  })

describeOnStores('counts of searches', (start) => {
  let store: TestStore | undefined
  let url: string
  let one: Database
  let two: Database
  const totals = () => one.run((db) => db.selectFrom('search_totals').selectAll().execute())
  const clear = async (): Promise<void> => {
    for (const table of ['search_terms', 'search_misses'] as const)
      await one.run((db) => db.deleteFrom(table).execute())
  }
  beforeAll(async () => {
    store = await start()
    url = await store.url()
    one = openStore(url)
    two = openStore(url)
  }, 120_000)
  afterEach(clear)
  afterAll(async () => {
    await Promise.all([one?.close(), two?.close()])
    await store?.stop()
  })

  it('gives the sums of the days of any period, after any additions and deletions', async () => {
    await fc.assert(
      fc.asyncProperty(steps, periods, async (steps, periods) => {
        await clear()
        const kept = new Map<string, SearchCount>()
        for (const step of steps)
          if ('add' in step) {
            await addSearchCounts(one, step.add)
            for (const row of step.add) {
              const before = kept.get(keyOf(row))?.count ?? 0
              kept.set(keyOf(row), { ...row, count: before + row.count })
            }
          } else {
            await prune(one, timeOf(step.firstDay) + keptDays * dayMs)
            for (const [key, { day }] of kept) if (day < dayOf(step.firstDay)) kept.delete(key)
          }
        for (const { from, to, locale } of periods)
          for (const wanted of [locale, null]) {
            const period = { from: dayOf(from), to: dayOf(to) }
            const rows = [...kept.values()].filter(
              (row) =>
                row.day >= period.from &&
                row.day <= period.to &&
                (wanted === null || row.locale === wanted),
            )
            const misses = sumsOf(rows.filter(({ results }) => results === 0))
            const all = await topSearches(one, period, wanted, 100)
            expect(inOrder(all.searches)).toEqual(sumsOf(rows))
            expect(inOrder(all.misses)).toEqual(misses.map(({ results: _none, ...row }) => row))
            const first = await topSearches(one, period, wanted, 2)
            expect(first).toEqual({
              searches: all.searches.slice(0, 2),
              misses: all.misses.slice(0, 2),
            })
          }
        const summed = await totals()
        const found = summed.reduce((sum, row) => sum + Number(row.found), 0)
        const missed = summed.reduce((sum, row) => sum + Number(row.missed), 0)
        const countOf = (hasResults: boolean): number =>
          [...kept.values()]
            .filter(({ results }) => results > 0 === hasResults)
            .reduce((sum, { count }) => sum + count, 0)
        expect([found, missed]).toEqual([countOf(true), countOf(false)])
      }),
      { numRuns: 25 },
    )
  }, 120_000)

  it('keeps no total without a day', async () => {
    const row = { day: dayOf(0), locale: 'en', query: 'proxy', count: 2 }
    await addSearchCounts(one, [
      { ...row, results: 1 },
      { ...row, results: 0 },
    ])
    expect(await totals()).toMatchObject([{ locale: 'en', query: 'proxy', found: 2, missed: 2 }])
    await clear()
    expect(await totals()).toEqual([])
  })

  it('adds what several processes count at once, while old days are deleted', async () => {
    const rowsOf = (day: number): SearchCount[] =>
      Array.from({ length: 300 }, (_, index) => ({
        ...{ day: dayOf(day), locale: 'en', query: `words ${index}` },
        ...{ count: 1, results: index % 2 },
      }))
    const rounds = 4
    const add = async (database: Database, rows: readonly SearchCount[]): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) await addSearchCounts(database, rows)
    }
    await addSearchCounts(one, rowsOf(0))
    await addSearchCounts(one, rowsOf(1))
    await Promise.all([
      add(one, rowsOf(2)),
      add(two, rowsOf(2).toReversed()),
      prune(two, timeOf(1) + keptDays * dayMs),
    ])
    const { searches, misses } = await topSearches(one, { from: dayOf(0), to: dayOf(2) }, null, 500)
    const counts = [searches, misses].map((list) => list.map(({ count }) => count))
    const each = 1 + 2 * rounds
    expect(counts).toEqual([Array(300).fill(each), Array(150).fill(each)])
    expect((await totals()).length).toBe(300)
  }, 60_000)

  it('sums the searches that are stored when a previous version is updated', async () => {
    await one.run(async (db) => {
      if (one.dialect === 'postgres')
        for (const table of ['search_terms', 'search_misses'])
          await sql`drop function ${sql.table(`add_${table}_to_totals`)} cascade`.execute(db)
      else
        for (const table of ['search_terms', 'search_misses'])
          for (const event of ['added', 'changed', 'deleted'])
            await sql`drop trigger ${sql.table(`${table}_${event}`)}`.execute(db)
      await sql`drop table search_totals`.execute(db)
      await sql`delete from migrations where name = '0016-search-totals'`.execute(db)
    })
    const row = { locale: 'en', query: 'proxy' }
    await addSearchCounts(one, [
      { ...row, day: dayOf(0), count: 2, results: 4 },
      { ...row, day: dayOf(1), count: 3, results: 5 },
      { ...row, day: dayOf(1), count: 1, results: 0 },
    ])
    const updated = openStore(url)
    try {
      await addSearchCounts(updated, [{ ...row, day: dayOf(9), count: 10, results: 6 }])
      await addSearchCounts(one, [{ ...row, day: dayOf(2), count: 1, results: 1 }])
      expect(await totals()).toMatchObject([{ ...row, found: 16, missed: 1 }])
      const period = { from: dayOf(0), to: dayOf(8) }
      expect(await topSearches(updated, period, null, 10)).toEqual({
        searches: [{ ...row, count: 7, results: 5 }],
        misses: [{ ...row, count: 1 }],
      })
    } finally {
      await updated.close()
    }
  })
})

describeWith(['postgres'], 'locks of searches that are counted', ({ postgres }) => {
  let server: PostgresServer | undefined
  let store: Database
  beforeAll(async () => {
    server = await startPostgres(postgres)
    store = openStore(await server.makeDatabase())
  }, 120_000)
  afterAll(async () => {
    await store?.close()
    await server?.stop()
  })

  // In another order this would be a deadlock, and one of the two would lose its rows.
  it.each(['search_terms', 'search_totals'] as const)(
    'are taken in the order of the words, in %s',
    async (table) => {
      const rows = Array.from({ length: 10 }, (_, index): SearchCount => {
        return { day: dayOf(0), locale: 'en', query: `words ${index}`, count: 1, results: 1 }
      }).toReversed()
      await addSearchCounts(store, rows)
      let adding: Promise<void> | undefined
      await store.run((db) =>
        db.transaction().execute(async (transaction) => {
          const lock = (query: string) =>
            transaction
              .selectFrom(table)
              .select('query')
              .where('query', '=', query)
              .forUpdate()
              .execute()
          await lock('words 0')
          adding = addSearchCounts(store, rows)
          await eventually(async () => {
            const waiting = await sql`select 1 from pg_locks where not granted`.execute(transaction)
            expect(waiting.rows.length).toBe(1)
          })
          await lock('words 9')
        }),
      )
      await adding
    },
  )
})
