import {
  changeMessage,
  deleteMessage,
  exportMessages,
  listMessages,
} from '../../../shared/console/messages'
import {
  changeStoredMessage,
  countMessages,
  deleteStoredMessage,
  listStoredMessages,
  type StoredMessage,
} from '../../db/message-store'
import type { Database } from '../../db/database'
import type { MessageState } from '../../db/tables'
import { csvParts } from '../insights/csv-text'
import type { Cell } from '../insights/insight-table'
import { PlainAnswer } from '../ops-call'
import { implementCall, type ConsoleCallRow } from './define-console-call'

const pageRows = 50
const exportBatchRows = 500
const exportColumns = [
  'id',
  'time',
  'state',
  'name',
  'email',
  'language',
  'page',
  'message',
  'note',
]

/** All messages of a state, newest first, batch by batch. */
async function* exportRows(
  database: Database,
  state: MessageState | null,
): AsyncGenerator<Cell[][]> {
  for (let before: number | null = null; ;) {
    const rows: StoredMessage[] = await listStoredMessages(database, state, before, exportBatchRows)
    const last = rows.at(-1)
    if (!last) return
    before = last.id
    yield rows.map((row) => [
      row.id,
      new Date(row.at).toISOString(),
      row.state,
      row.name,
      row.email,
      row.locale,
      row.page,
      row.message,
      row.note,
    ])
  }
}

/** Visitors' messages: the list, state and notes, deletion, and all of them as a file. */
export const messageCalls: readonly ConsoleCallRow[] = [
  implementCall(listMessages, {
    createHandler:
      ({ database }) =>
      async ({ state = null, before = null }) => {
        const rows = await listStoredMessages(database, state, before, pageRows + 1)
        return {
          messages: rows.slice(0, pageRows),
          hasMore: rows.length > pageRows,
          counts: await countMessages(database),
        }
      },
  }),
  implementCall(changeMessage, {
    logged: ({ id, state }) => ({ message: id, state }),
    createHandler:
      ({ database }) =>
      async (input) => ({ changed: await changeStoredMessage(database, input) }),
  }),
  implementCall(deleteMessage, {
    logged: ({ id }) => ({ message: id }),
    createHandler:
      ({ database }) =>
      async ({ id }) => ({ deleted: await deleteStoredMessage(database, id) }),
  }),
  implementCall(exportMessages, {
    createHandler:
      ({ database }) =>
      ({ state = null }) =>
        new PlainAnswer('text/csv', csvParts(exportColumns, exportRows(database, state)), {
          'Content-Disposition': 'attachment; filename="messages.csv"',
        }),
  }),
]
