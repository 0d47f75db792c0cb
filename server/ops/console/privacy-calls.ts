import {
  deletePerson,
  exportPerson,
  findPerson,
  readRetention,
} from '../../../shared/console/privacy'
import type { Database } from '../../db/database'
import { countPersonalRows, deletePersonalRows, readPersonalRows } from '../../db/personal-rows'
import { readPruneResults, retention } from '../../db/prune'
import { PlainAnswer } from '../ops-call'
import { implementCall, type ConsoleCallRow } from './define-console-call'

/** Never the subject itself: logs hold no email address. */
const kindOf = ({ subject }: { subject: string }) => ({
  subject: subject.includes('@') ? 'an email address' : 'a device id',
})

/**
 * The file of an export: an object with the rows of each table, one row a line. A device may have a
 * million rows, so each batch is written when it has been read.
 */
async function* exportParts(database: Database, subject: string): AsyncGenerator<string> {
  let current = ''
  let separator = ''
  for await (const { table, rows } of readPersonalRows(database, subject)) {
    let part = ''
    if (table !== current) {
      part = `${current === '' ? '{' : '],'}\n"${table}": [`
      separator = '\n'
      current = table
    }
    for (const row of rows) {
      part += separator + JSON.stringify(row)
      separator = ',\n'
    }
    yield part
  }
  yield ']\n}\n'
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
      ({ subject }) =>
        new PlainAnswer('application/json', exportParts(database, subject), {
          'Content-Disposition': 'attachment; filename="person.json"',
        }),
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
