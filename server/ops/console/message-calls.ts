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
} from '../../db/message-store'
import { csvText } from '../insights/csv-text'
import { PlainAnswer } from '../ops-call'
import { implementCall, type ConsoleCallRow } from './define-console-call'

const pageRows = 50
const maxExportRows = 10_000
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
      async ({ state = null }) => {
        const rows = await listStoredMessages(database, state, null, maxExportRows)
        const text = csvText({
          columns: exportColumns.map((name) => ({ name })),
          rows: rows.map((row) => [
            row.id,
            new Date(row.at).toISOString(),
            row.state,
            row.name,
            row.email,
            row.locale,
            row.page,
            row.message,
            row.note,
          ]),
        })
        return new PlainAnswer('text/csv', text, {
          'Content-Disposition': 'attachment; filename="messages.csv"',
        })
      },
  }),
]
