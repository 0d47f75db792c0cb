import { expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { retention } from '../../../server/db/prune'
import { openMemoryDatabase } from '../../../testing/memory-database'

it('rows to delete are selected by their primary key, so that a batch has only so many', async () => {
  const database = await openMemoryDatabase()
  for (const [table, rule] of Object.entries(retention)) {
    if (rule === 'always') continue
    const { rows } = await database.run((db) =>
      sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0`.execute(db),
    )
    const columns = rows.map(({ name }) => name)
    expect([table, [...rule.key].sort()]).toEqual([table, columns.sort()])
  }
  await database.close()
})
