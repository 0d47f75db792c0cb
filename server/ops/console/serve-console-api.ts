import type { Request, Response } from 'express'
import { operatorSession } from '../../../shared/console/sessions'
import { allowOf } from '../../api/define-call'
import { parseFields, readBody } from '../../api/read-body'
import { SiteError } from '../../errors'
import { cookiesOf } from '../../request/cookies'
import { requestIdField } from '../../telemetry/logger'
import { splitTarget } from '../../url/decode-path'
import { createOperatorCheck, tokenRequired, type OperatorCheckServices } from '../check-operator'
import type { OpsServices } from '../ops-call'
import { sendOpsAnswer } from '../send-ops-answer'
import { assertSameOrigin } from './assert-same-origin'
import { consoleCalls } from './console-calls'
import type { Operator } from './define-console-call'
import type { OperatorSessions } from './operator-sessions'

/** The name in the log of a program that calls with the bearer token. */
const tokenOperator: Operator = { name: 'bearer token', sessionId: null }

/**
 * `/_ops/api/*`: the console's calls, with a session's cookie or the bearer token. A browser adds
 * the cookie to requests that other sites start, so changes with a session need an `Origin` of this
 * site. Every change is logged with the operator's name.
 */
export function createConsoleApi(
  services: OpsServices & OperatorCheckServices,
  sessions: OperatorSessions,
) {
  const { hosts, log } = services
  const hasToken = createOperatorCheck(services)
  const handlers = new Map(consoleCalls.map((call) => [call, call.createHandler(services)]))

  async function operatorOf(request: Request, response: Response): Promise<Operator> {
    const operator = await sessions.find(cookiesOf(request)[operatorSession.name])
    if (operator) return operator
    if (await hasToken(request, response, false)) return tokenOperator
    throw tokenRequired(false)
  }

  return async function serveConsoleApi(request: Request, response: Response): Promise<void> {
    const operator = await operatorOf(request, response)
    const path = request.path.slice('/api'.length)
    const rows = consoleCalls.filter((row) => row.path === path)
    if (rows.length === 0) throw new SiteError('notFound')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = rows.find((row) => row.method === method)
    const handle = call && handlers.get(call)
    if (!handle) throw new SiteError('methodNotAllowed', undefined, { Allow: allowOf(rows) })
    const isWrite = call.method === 'POST'
    if (isWrite && operator.sessionId !== null) assertSameOrigin(request, hosts)
    const input = isWrite
      ? await readBody(request, 'json', call.maxBodyBytes)
      : parseFields(new URLSearchParams(splitTarget(request.originalUrl).query))
    const answer = await handle(input, {
      operator,
      isSecure: hosts.isSecureFor(request.headers.host),
      setHeader: (name, value) => void response.setHeader(name, value),
    })
    if (isWrite)
      log.info(
        {
          ...requestIdField(response),
          operator: operator.name,
          call: call.path,
          ...call.logged(input),
        },
        call.isRead ? 'read by an operator' : 'changed by an operator',
      )
    await sendOpsAnswer(response, answer)
  }
}
