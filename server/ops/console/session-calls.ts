import { listSessions, revokeSession, signOut } from '../../../shared/console/sessions'
import { deleteOperatorSession, listOperatorSessions } from '../../db/operator-sessions'
import { implementCall, type ConsoleCallRow } from './define-console-call'
import { sessionCookie } from './operator-sessions'

/** Sessions of operators: the list, the end of one, and the end of the current one. */
export const sessionCalls: readonly ConsoleCallRow[] = [
  implementCall(listSessions, {
    createHandler:
      ({ database }) =>
      async (_input, { operator }) => ({
        sessions: (await listOperatorSessions(database, Date.now())).map((session) => ({
          id: session.id,
          operator: session.operator,
          createdAt: session.created_at,
          expiresAt: session.expires_at,
          isCurrent: session.id === operator.sessionId,
        })),
      }),
  }),
  implementCall(revokeSession, {
    logged: ({ id }) => ({ session: id.slice(0, 12) }),
    createHandler:
      ({ database }) =>
      async ({ id }) => ({ revoked: await deleteOperatorSession(database, id) }),
  }),
  implementCall(signOut, {
    createHandler:
      ({ database }) =>
      async (_input, { operator, isSecure, setHeader }) => {
        if (operator.sessionId !== null) await deleteOperatorSession(database, operator.sessionId)
        setHeader('Set-Cookie', sessionCookie('', 0, isSecure))
        return {}
      },
  }),
]
