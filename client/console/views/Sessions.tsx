import {
  listSessions,
  revokeSession,
  signOut,
  type SessionRow,
} from '../../../shared/console/sessions'
import { callConsole } from '../call-console'
import { Button } from '../components/Button'
import { DataTable, type TableColumn } from '../components/DataTable'
import { Notice } from '../components/Notice'
import { Panel } from '../components/Panel'
import { formatTime } from '../format-time'
import { useConsoleAction, useConsoleCall } from '../use-console-call'
import { useRowFocus } from '../use-row-focus'

/** The columns of the sessions; `onEnd` ends one. */
const columnsOf = (
  isDisabled: boolean,
  onEnd: (id: string) => void,
): ReadonlyArray<TableColumn<SessionRow>> => [
  { id: 'operator', title: 'Operator', value: (row) => row.operator },
  {
    id: 'created',
    title: 'Signed in',
    value: (row) => row.createdAt,
    cell: (row) => formatTime(row.createdAt),
  },
  {
    id: 'expires',
    title: 'Ends',
    value: (row) => row.expiresAt,
    cell: (row) => formatTime(row.expiresAt),
  },
  {
    id: 'end',
    title: 'Action',
    value: (row) => (row.isCurrent ? 'this session' : ''),
    cell: (row) =>
      row.isCurrent ? (
        'This session'
      ) : (
        <Button kind="danger" disabled={isDisabled} onClick={() => onEnd(row.id)}>
          End session
        </Button>
      ),
  },
]

/** Who is signed in, and the end of any session. */
export function Sessions() {
  const { data, error, reload } = useConsoleCall(listSessions, {})
  const action = useConsoleAction()
  const { table, heading, leaveRow } = useRowFocus(data)
  const leave = (): void =>
    action.run(async () => {
      await callConsole(signOut, {})
      window.location.reload()
    })
  const revoke = (id: string): void => {
    leaveRow()
    action.run(async () => {
      await callConsole(revokeSession, { id })
      reload()
    })
  }
  return (
    <Panel
      title="Signed-in operators"
      heading={heading}
      about="A session ends after 8 hours, when it is ended here, and when OPS_TOKEN changes."
      actions={
        <Button kind="main" disabled={action.isRunning} onClick={leave}>
          Sign out
        </Button>
      }
    >
      {(error ?? action.error) && <Notice isFailure text={error ?? action.error ?? ''} />}
      {data ? (
        <div ref={table}>
          <DataTable
            caption="Sessions"
            columns={columnsOf(action.isRunning, revoke)}
            rows={data.sessions}
          />
        </div>
      ) : (
        !error && <Notice text="Loading…" />
      )}
    </Panel>
  )
}
