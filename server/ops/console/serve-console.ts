import type { Request, Response } from 'express'
import { operatorName, operatorSession } from '../../../shared/console/sessions'
import { readBody } from '../../api/read-body'
import { SiteError } from '../../errors'
import { anonymizeAddress, clientAddress } from '../../request/client-address'
import { cookiesOf } from '../../request/cookies'
import { requestIdField } from '../../telemetry/logger'
import { redirectToPath } from '../../url/redirect'
import { createTokenCheck, type OperatorCheckServices } from '../check-operator'
import type { OpsServices } from '../ops-call'
import { assertSameOrigin } from './assert-same-origin'
import { consolePolicy, renderConsole, renderSignIn } from './console-page'
import { sessionCookie, type OperatorSessions } from './operator-sessions'

type Services = OperatorCheckServices & Pick<OpsServices, 'build' | 'hosts' | 'store' | 'settings'>

/**
 * `/_ops/console` and the views below it: the page with a session, the sign-in form without one.
 * The form is sent to the address of the view, which is shown after signing in.
 */
export function createConsolePage(services: Services, sessions: OperatorSessions) {
  const { build, hosts, store, settings, log } = services
  const isOperatorToken = createTokenCheck(services)
  const send = (request: Request, response: Response, status: number, body: string): void => {
    const policy = consolePolicy(hosts.isSecureFor(request.headers.host))
    response.setHeader('Content-Security-Policy', policy)
    response.status(status).type('html').send(body)
  }
  const sendForm = (
    request: Request,
    response: Response,
    { status, message, name }: { status: number; message: string | null; name: string },
  ): void => {
    const { brand } = store.siteConfig()
    send(request, response, status, renderSignIn({ brand, message, name }, build.assets))
  }

  /** Checks the form. A wrong token and an exhausted limit are shown in the form. */
  async function signIn(request: Request, response: Response): Promise<void> {
    assertSameOrigin(request, hosts)
    const fields = await readBody(request, 'form')
    const name = operatorName.safeParse(fields['operator'])
    const token = typeof fields['token'] === 'string' ? fields['token'] : ''
    const isRight = await isOperatorToken(token, request, response)
    if (!isRight || !name.success) {
      const message = isRight ? (name.error?.issues[0]?.message ?? '') : 'This token is not valid.'
      const status = isRight ? 400 : 401
      return void sendForm(request, response, { status, message, name: name.data ?? '' })
    }
    const isSecure = hosts.isSecureFor(request.headers.host)
    const secret = await sessions.start(name.data)
    const address = anonymizeAddress(clientAddress(request, settings.TRUST_PROXY))
    log.info({ ...requestIdField(response), operator: name.data, address }, 'an operator signed in')
    const cookie = sessionCookie(secret, operatorSession.maxAgeSeconds, isSecure)
    redirectToPath(response, `/_ops${request.url}`, 303, { 'Set-Cookie': cookie })
  }

  return async function serveConsolePage(request: Request, response: Response): Promise<void> {
    const { method } = request
    if (method === 'POST')
      return signIn(request, response).catch((error: unknown) => {
        if (!(error instanceof SiteError) || error.error !== 'tooManyRequests') throw error
        for (const [header, value] of Object.entries(error.headers))
          response.setHeader(header, value)
        sendForm(request, response, { status: 429, message: error.message, name: '' })
      })
    if (method !== 'GET' && method !== 'HEAD')
      throw new SiteError('methodNotAllowed', undefined, { Allow: 'GET, HEAD, POST' })
    const operator = await sessions.find(cookiesOf(request)[operatorSession.name])
    if (!operator) return void sendForm(request, response, { status: 200, message: null, name: '' })
    const { brand } = store.siteConfig()
    const sprite = build.assets.files['sprite.svg'] ?? ''
    const data = { brand, operator: operator.name, sprite }
    send(request, response, 200, renderConsole(data, build.assets))
  }
}
