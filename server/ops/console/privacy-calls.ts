import {
  deletePerson,
  exportPerson,
  findPerson,
  readRetention,
} from '../../../shared/console/privacy'
import type { Database } from '../../db/database'
import { countPersonalRows, deletePersonalRows, readPersonalRows } from '../../db/personal-rows'
import { readPruneResults, retention } from '../../db/prune'
import { success } from '../../errors'
import { PlainAnswer } from '../ops-call'
import { implementCall, type ConsoleCallRow } from './define-console-call'

/** Never the subject itself: logs hold no email address. */
const kindOf = ({ subject }: { subject: string }) => ({
  subject: subject.includes('@') ? 'an email address' : 'a device id',
})

/**
 * The answer of an export. Each batch becomes text when it arrives, because the text of thousands of
 * rows at once would hold up visitors' requests.
 */
async function exportText(database: Database, subject: string): Promise<string> {
  const rowsOf = new Map<string, string[]>()
  for await (const { table, rows } of readPersonalRows(database, subject)) {
    const texts = rowsOf.get(table) ?? []
    if (rows.length > 0) texts.push(JSON.stringify(rows).slice(1, -1))
    rowsOf.set(table, texts)
  }
  const tables = [...rowsOf].map(([table, texts]) => `"${table}":[${texts.join()}]`)
  const [before = '', after = ''] = JSON.stringify(success({ tables: {} })).split('{}')
  return `${before}{${tables.join()}}${after}`
}

/** What the tables hold about a device id or an email address, and how long rows are kept. */
export const privacyCalls: readonly ConsoleCallRow[] = [
  implementCall(findPerson, {
    logged: kindOf,
    createHandler:
      ({ database }) =>
      async ({ subject }) => ({ tables: await countPersonalRows(database, subject) }),
  }),
  implementCall(exportPerson, {
    logged: kindOf,
    createHandler:
      ({ database }) =>
      async ({ subject }) =>
        new PlainAnswer('application/json', await exportText(database, subject)),
  }),
  implementCall(deletePerson, {
    logged: kindOf,
    createHandler:
      ({ database }) =>
      async ({ subject }) => ({ tables: await deletePersonalRows(database, subject) }),
  }),
  implementCall(readRetention, {
    createHandler:
      ({ database }) =>
      async () => {
        const results = new Map(
          (await readPruneResults(database)).map((row) => [row.table_name, row]),
        )
        return {
          tables: Object.entries(retention).map(([table, rule]) => ({
            table,
            days: rule === 'always' ? null : rule.days,
            prunedAt: results.get(table)?.at ?? null,
            deleted: results.get(table)?.deleted ?? null,
          })),
        }
      },
  }),
]
