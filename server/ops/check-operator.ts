import { createHash, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import type { CheckRateLimit } from '../api/define-call'
import type { Settings } from '../env'
import { SiteError } from '../errors'
import { anonymizeAddress, clientAddress } from '../request/client-address'
import { requestIdField, type Logger } from '../telemetry/logger'

export type OperatorCheckServices = {
  settings: Pick<Settings, 'OPS_TOKEN' | 'TRUST_PROXY'>
  checkRateLimit: CheckRateLimit
  log: Logger
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The token of an `Authorization` header: `Bearer TOKEN`, or where allowed the password of `Basic`
 * (RFC 7617) with any user name.
 */
function readToken(header: string, allowsBasicAuth: boolean): string {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? []
  if (scheme.toLowerCase() === 'bearer') return value
  if (!scheme || !allowsBasicAuth) return ''
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:?/, '')
}

/**
 * Returns a function that says whether a token is OPS_TOKEN. Wrong tokens are counted by address
 * and logged. An address that has used up its attempts is refused even with the right token:
 * otherwise it could go on guessing. Other addresses are not affected. An empty token is no
 * attempt: browsers send a request without one before they ask for a login.
 */
export function createTokenCheck({ settings, checkRateLimit, log }: OperatorCheckServices) {
  const expectedDigest = sha256(settings.OPS_TOKEN)
  return async function isOperatorToken(
    token: string,
    request: Request,
    response: Response,
  ): Promise<boolean> {
    if (token === '') return false
    // Digests have equal lengths, so neither the time nor the length tells how much of the token
    // was right.
    const isRight = timingSafeEqual(sha256(token), expectedDigest)
    const address = clientAddress(request, settings.TRUST_PROXY)
    await checkRateLimit({ rateLimit: 'operators' }, address, isRight ? 0 : 1)
    if (!isRight)
      log.warn(
        { ...requestIdField(response), address: anonymizeAddress(address) },
        'a wrong token of operators was refused',
      )
    return isRight
  }
}

/** The refusal of a request without the token. The header says how to send it. */
export const tokenRequired = (allowsBasicAuth: boolean): SiteError =>
  new SiteError('unauthorized', undefined, {
    'WWW-Authenticate': allowsBasicAuth ? 'Basic realm="operators", charset="UTF-8"' : 'Bearer',
  })

/** Whether a request carries OPS_TOKEN in its `Authorization` header. */
export function createOperatorCheck(services: OperatorCheckServices) {
  const isOperatorToken = createTokenCheck(services)
  return (request: Request, response: Response, allowsBasicAuth: boolean): Promise<boolean> =>
    isOperatorToken(
      readToken(request.headers.authorization ?? '', allowsBasicAuth),
      request,
      response,
    )
}
