import { useState } from 'react'
import {
  purgePages,
  readSystem,
  runDoctor,
  type AnnouncementRow,
  type FailedRequest,
} from '../../../shared/console/system'
import { callConsole } from '../call-console'
import { countText } from '../count-text'
import { ActionForm } from '../components/ActionForm'
import { Button } from '../components/Button'
import { DataTable, type TableColumn } from '../components/DataTable'
import { Facts } from '../components/Facts'
import { ConsoleField, TextField } from '../components/ConsoleField'
import { Notice } from '../components/Notice'
import { Panel } from '../components/Panel'
import { formatTime } from '../format-time'
import { useConsoleAction, useConsoleCall } from '../use-console-call'
import { Processes } from './Processes'
import s from './System.module.css'

const announcementColumns: ReadonlyArray<TableColumn<AnnouncementRow>> = [
  { id: 'at', title: 'Time', value: (row) => row.at, cell: (row) => formatTime(row.at) },
  { id: 'host', title: 'Host', value: (row) => row.host },
  { id: 'urls', title: 'URLs', value: (row) => row.urls },
  { id: 'state', title: 'State', value: (row) => row.state },
  { id: 'answer', title: 'Answer', value: (row) => row.answer },
  { id: 'attempts', title: 'Attempts', value: (row) => row.attempts },
  {
    id: 'list',
    title: 'First URLs',
    value: (row) => row.list.join(' '),
    cell: (row) => (
      <details>
        <summary>{row.list.length}</summary>
        {row.list.map((url) => (
          <div key={url}>{url}</div>
        ))}
      </details>
    ),
  },
]
const failedColumns: ReadonlyArray<TableColumn<FailedRequest>> = [
  { id: 'at', title: 'Time', value: (row) => row.at, cell: (row) => formatTime(row.at) },
  { id: 'message', title: 'Error', value: (row) => row.message },
  { id: 'path', title: 'Path', value: (row) => row.path },
  { id: 'id', title: 'Request id', value: (row) => row.id },
  { id: 'process', title: 'Process', value: (row) => row.process },
]
type ProblemRow = { file: string; line: number; reason: string }
const problemColumns: ReadonlyArray<TableColumn<ProblemRow>> = [
  { id: 'file', title: 'File', value: (row) => row.file },
  { id: 'line', title: 'Line', value: (row) => row.line },
  { id: 'reason', title: 'Reason', value: (row) => row.reason },
]

/** One entry of a list for each line or word. */
const listOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

type PurgeKind = 'tags' | 'paths' | 'all'
function purgeRequestOf(kind: PurgeKind, text: string) {
  if (kind === 'all') return { all: true } as const
  return kind === 'tags' ? { tags: listOf(text) } : { paths: listOf(text) }
}

/** Drops cached pages by tag, by path, or all. */
function Purge({ onPurged }: { onPurged: () => void }) {
  const [kind, setKind] = useState<PurgeKind>('paths')
  const [text, setText] = useState('')
  const [message, setMessage] = useState('')
  const action = useConsoleAction()
  const purge = (): void => {
    setMessage('')
    action.run(async () => {
      const { purged } = await callConsole(purgePages, purgeRequestOf(kind, text))
      setMessage(`${countText(purged, 'entry', 'entries')} of this process dropped.`)
      onPurged()
    })
  }
  return (
    <Panel
      title="Purge"
      about="Drops cached pages of all processes and machines. They are rendered again on the next request."
    >
      <ActionForm action={action} button="Purge" kind="danger" onSubmit={purge}>
        <ConsoleField label="What">
          {(id) => (
            <select
              id={id}
              value={kind}
              // Cast: the options below are its only values.
              onChange={(event) => setKind(event.target.value as typeof kind)}
            >
              <option value="paths">Pages by path</option>
              <option value="tags">Pages by tag</option>
              <option value="all">All pages</option>
            </select>
          )}
        </ConsoleField>
        {kind !== 'all' && (
          <TextField
            label={kind === 'tags' ? 'Tags, such as blog/my-article' : 'Paths, such as /pricing'}
            value={text}
            isRequired
            onChange={setText}
          />
        )}
      </ActionForm>
      {message && <Notice text={message} />}
    </Panel>
  )
}

/** What `npm run doctor` finds. */
function Doctor() {
  const [text, setText] = useState('')
  const action = useConsoleAction()
  const run = (): void => action.run(async () => setText((await callConsole(runDoctor, {})).text))
  return (
    <Panel
      title="Doctor"
      about="Checks everything that the site depends on, and says how to fix what is wrong."
      actions={
        <Button disabled={action.isRunning} onClick={run}>
          {action.isRunning ? 'Checking…' : 'Run the checks'}
        </Button>
      }
    >
      {action.error && <Notice isFailure text={action.error} />}
      {text && (
        <pre role="status" className={s['findings']}>
          {text}
        </pre>
      )}
    </Panel>
  )
}

/** State of the site, purges, findings of the doctor, and announcements. */
export function System() {
  const { data, error, reload } = useConsoleCall(readSystem, {})
  return (
    <>
      {error && <Notice isFailure text={error} />}
      {!data && !error && <Notice text="Loading…" />}
      {data && (
        <>
          <Panel
            title="Site"
            about="Memory and queues are those of the process that answers."
            actions={<Button onClick={reload}>Refresh</Button>}
          >
            <Facts rows={data.facts} />
          </Panel>
          <Processes rows={data.processes} />
        </>
      )}
      <Purge onPurged={reload} />
      <Doctor />
      {data && (
        <>
          <Panel
            title="Failed requests"
            about="The last of all processes of this machine. Find the lines of a request in the log by its id."
          >
            <DataTable
              caption="Failed requests"
              columns={failedColumns}
              rows={data.failed}
              empty="None."
            />
          </Panel>
          <Panel title="Content problems">
            <DataTable
              caption="Content problems"
              columns={problemColumns}
              rows={data.problems}
              empty="None."
            />
          </Panel>
          <Panel
            title="Announcements to search engines"
            about="Changed URLs by the IndexNow protocol."
          >
            <DataTable
              caption="Announcements"
              columns={announcementColumns}
              rows={data.announcements}
              empty="Nothing was announced."
            />
          </Panel>
        </>
      )}
    </>
  )
}
