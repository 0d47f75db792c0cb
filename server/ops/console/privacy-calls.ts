import {
  deletePerson,
  exportPerson,
  findPerson,
  readRetention,
} from '../../../shared/console/privacy'
import { countPersonalRows, deletePersonalRows, readPersonalRows } from '../../db/personal-rows'
import { readPruneResults, retention } from '../../db/prune'
import { implementCall, type ConsoleCallRow } from './define-console-call'

/** Never the subject itself: logs hold no email address. */
const kindOf = ({ subject }: { subject: string }) => ({
  subject: subject.includes('@') ? 'an email address' : 'a device id',
})

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
      async ({ subject }) => ({ tables: await readPersonalRows(database, subject) }),
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
