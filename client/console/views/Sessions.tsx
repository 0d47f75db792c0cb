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

/** Who is signed in, and the end of any session. */
export function Sessions() {
  const { data, error, reload } = useConsoleCall(listSessions, {})
  const action = useConsoleAction()
  const leave = (): void =>
    action.run(async () => {
      await callConsole(signOut, {})
      window.location.reload()
    })
  const revoke = (id: string): void =>
    action.run(async () => {
      await callConsole(revokeSession, { id })
      reload()
    })
  const columns: ReadonlyArray<TableColumn<SessionRow>> = [
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
          <Button kind="danger" disabled={action.isRunning} onClick={() => revoke(row.id)}>
            End session
          </Button>
        ),
    },
  ]
  return (
    <Panel
      title="Signed-in operators"
      about="A session ends after 8 hours, when it is ended here, and when OPS_TOKEN changes."
      actions={
        <Button kind="main" disabled={action.isRunning} onClick={leave}>
          Sign out
        </Button>
      }
    >
      {(error ?? action.error) && <Notice isFailure text={error ?? action.error ?? ''} />}
      {data ? (
        <DataTable caption="Sessions" columns={columns} rows={data.sessions} />
      ) : (
        !error && <Notice text="Loading…" />
      )}
    </Panel>
  )
}
