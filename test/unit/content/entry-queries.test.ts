import Sqlite from 'better-sqlite3'
import { expect, it } from '@jest/globals'
import { createEntryQueries } from '../../../server/content/store/entry-queries'
import { createTables } from '../../../server/content/tables'

it('no statement about an entry reads all entries of its collection', () => {
  const db = new Sqlite(':memory:')
  db.exec(createTables)
  const plans = Object.entries(createEntryQueries(db)).map(([name, { source }]) => {
    const values = Array.from(source.matchAll(/\?/g), () => 1)
    const steps = db.prepare<number[], { detail: string }>(`EXPLAIN QUERY PLAN ${source}`)
    return { name, details: steps.all(...values).map(({ detail }) => detail) }
  })
  const readsAll = (detail: string): boolean => /^SCAN|\(collection=\?\)$/.test(detail)
  expect(plans.filter(({ details }) => details.some(readsAll))).toEqual([])
  expect(plans.length).toBeGreaterThan(5)
  db.close()
})
