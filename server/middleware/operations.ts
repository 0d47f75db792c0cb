import type { RequestHandler } from 'express'
import { operatorSession } from '../../shared/console/sessions'
import { allowOf } from '../api/define-call'
import { SiteError } from '../errors'
import {
  createOperatorCheck,
  tokenRequired,
  type OperatorCheckServices,
} from '../ops/check-operator'
import { isConsolePath } from '../ops/console/console-page'
import { createOperatorSessions } from '../ops/console/operator-sessions'
import { createConsolePage } from '../ops/console/serve-console'
import { createConsoleApi } from '../ops/console/serve-console-api'
import { sendOpsAnswer } from '../ops/send-ops-answer'
import { insightsRedirect } from '../ops/insights-files'
import type { OpsServices } from '../ops/ops-call'
import { opsCalls } from '../ops/ops-calls'
import { cookiesOf } from '../request/cookies'
import { redirectToPath } from '../url/redirect'

type Services = OpsServices & OperatorCheckServices

/** `/_ops/*`, for operators. Without OPS_TOKEN everything below it is 404. */
export function operations(services: Services): RequestHandler {
  const { OPS_TOKEN } = services.settings
  const hasToken = createOperatorCheck(services)
  const sessions = createOperatorSessions(services.database, OPS_TOKEN)
  const serveConsolePage = createConsolePage(services, sessions)
  const serveConsoleApi = createConsoleApi(services, sessions)
  const handlers = new Map(opsCalls.map((call) => [call, call.createHandler(services)]))
  return async function operationsRow(request, response) {
    if (OPS_TOKEN === '') throw new SiteError('notFound')
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-Robots-Tag', 'noindex')
    if (isConsolePath(request.path)) return serveConsolePage(request, response)
    if (request.path.startsWith('/api/')) return serveConsoleApi(request, response)
    const target = insightsRedirect(request)
    if (target !== null) return void redirectToPath(response, target, 302)

    const rows = opsCalls.filter(({ path }) => path === request.path)
    const isForBrowsers = rows.some((row) => row.isForBrowsers)
    const isAllowed =
      (isForBrowsers && (await sessions.find(cookiesOf(request)[operatorSession.name]))) ||
      (await hasToken(request, response, isForBrowsers))
    if (!isAllowed) throw tokenRequired(isForBrowsers)
    if (rows.length === 0) throw new SiteError('notFound')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const call = rows.find((row) => row.method === method)
    const handle = call && handlers.get(call)
    if (!handle) throw new SiteError('methodNotAllowed', undefined, { Allow: allowOf(rows) })
    await sendOpsAnswer(response, await handle(request))
  }
}
