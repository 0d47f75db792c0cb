import { useState } from 'react'
import {
  deletePerson,
  exportPerson,
  findPerson,
  readRetention,
  type RetentionRow,
  type TableCount,
} from '../../../shared/console/privacy'
import { callConsole, readConsoleFile } from '../call-console'
import { countText, formatNumber } from '../count-text'
import { ActionForm } from '../components/ActionForm'
import { Button } from '../components/Button'
import { ConfirmButton } from '../components/ConfirmButton'
import { TextField } from '../components/ConsoleField'
import { DataTable, type TableColumn } from '../components/DataTable'
import { Notice } from '../components/Notice'
import { Panel } from '../components/Panel'
import { formatTime } from '../format-time'
import { saveFile } from '../save-file'
import { useConsoleAction, useConsoleCall } from '../use-console-call'

const countColumns: ReadonlyArray<TableColumn<TableCount>> = [
  { id: 'table', title: 'Table', value: ({ table }) => table },
  { id: 'rows', title: 'Rows', value: ({ rows }) => rows },
]
const retentionColumns: ReadonlyArray<TableColumn<RetentionRow>> = [
  { id: 'table', title: 'Table', value: ({ table }) => table },
  {
    id: 'days',
    title: 'Kept for (days)',
    value: ({ days }) => days ?? Number.MAX_SAFE_INTEGER,
    cell: ({ days }) => (days === null ? 'always' : days === 0 ? 'until they expire' : days),
  },
  {
    id: 'at',
    title: 'Last cleaned',
    value: ({ prunedAt }) => prunedAt ?? 0,
    cell: ({ prunedAt }) => (prunedAt === null ? 'never' : formatTime(prunedAt)),
  },
  {
    id: 'deleted',
    title: 'Rows deleted then',
    value: ({ deleted }) => deleted ?? -1,
    cell: ({ deleted }) => (deleted === null ? '–' : formatNumber(deleted)),
  },
]

/** What was found or deleted about a subject, and the actions. */
function usePerson(subject: string) {
  const [result, setResult] = useState<{ text: string; tables: TableCount[] } | null>(null)
  const action = useConsoleAction()
  const asked = { subject }
  const find = (): void =>
    action.run(async () => {
      const { tables } = await callConsole(findPerson, asked)
      const total = tables.reduce((sum, { rows }) => sum + rows, 0)
      setResult({
        text: total === 0 ? 'Nothing found.' : `${countText(total, 'row')} found.`,
        tables,
      })
    })
  const save = (): void =>
    action.run(async () => {
      saveFile('person.json', await readConsoleFile(exportPerson, asked))
    })
  const remove = (): void =>
    action.run(async () => {
      const { tables } = await callConsole(deletePerson, asked)
      const total = tables.reduce((sum, { rows }) => sum + rows, 0)
      setResult({ text: `${countText(total, 'row')} deleted.`, tables })
    })
  return { result, action, find, save, remove, forget: () => setResult(null) }
}

/** Everything about a device id or an email address: find, export, delete. */
function PersonPanel() {
  const [subject, setSubject] = useState('')
  const { result, action, find, save, remove, forget } = usePerson(subject.trim())
  const isEmpty = subject.trim() === ''
  return (
    <Panel
      title="A person's data"
      about="By device id (cookie device_id) or email address. Backups keep deleted rows until they are replaced."
    >
      <ActionForm
        action={action}
        button="Find"
        onSubmit={find}
        others={
          <>
            <Button disabled={action.isRunning || isEmpty} onClick={save}>
              Export as JSON
            </Button>
            <ConfirmButton
              text="Delete all"
              question="Delete everything about this person?"
              disabled={action.isRunning || isEmpty}
              onConfirm={remove}
            />
          </>
        }
      >
        <TextField
          label="Device id or email address"
          value={subject}
          isRequired
          onChange={(value) => {
            setSubject(value)
            forget()
          }}
        />
      </ActionForm>
      {result && (
        <>
          <Notice text={result.text} />
          <DataTable caption="Rows by table" columns={countColumns} rows={result.tables} />
        </>
      )}
    </Panel>
  )
}

/** Personal data, and how long rows are kept. */
export function Privacy() {
  const { data, error } = useConsoleCall(readRetention, {})
  return (
    <>
      <PersonPanel />
      <Panel title="Retention" about="npm run db:prune deletes older rows; run it daily.">
        {error && <Notice isFailure text={error} />}
        {data && <DataTable caption="Retention" columns={retentionColumns} rows={data.tables} />}
      </Panel>
    </>
  )
}
