import { createHmac, randomBytes } from 'node:crypto'
import { operatorSession } from '../../../shared/console/sessions'
import { cookieText } from '../../../shared/cookies'
import { addOperatorSession, findOperatorSession } from '../../db/operator-sessions'
import type { Database } from '../../db/database'
import type { Operator } from './define-console-call'

/**
 * Text of the session's cookie. It is sent to `/_ops` only, and never from pages of other sites.
 */
export const sessionCookie = (secret: string, maxAgeSeconds: number, secure: boolean): string =>
  cookieText(operatorSession.name, secret, {
    maxAgeSeconds,
    attributes: ['Path=/_ops', 'HttpOnly', 'SameSite=Strict'],
    secure,
  })

export type OperatorSessions = {
  /** Starts a session and returns the secret for its cookie. */
  start: (operator: string) => Promise<string>
  /** The operator of a cookie's secret; null without a valid session. */
  find: (secret: unknown) => Promise<Operator | null>
}

/**
 * Sessions of operators. The database holds an HMAC of the secret with OPS_TOKEN as key: reading
 * the table allows no sign-in, and a new OPS_TOKEN ends all sessions.
 */
export function createOperatorSessions(database: Database, token: string): OperatorSessions {
  const idOf = (secret: string): string => createHmac('sha256', token).update(secret).digest('hex')
  return {
    async start(operator) {
      const secret = randomBytes(32).toString('base64url')
      const now = Date.now()
      await addOperatorSession(database, {
        id: idOf(secret),
        operator,
        created_at: now,
        expires_at: now + operatorSession.maxAgeSeconds * 1000,
      })
      return secret
    },
    async find(secret) {
      if (typeof secret !== 'string' || !/^[\w-]{43}$/.test(secret)) return null
      const session = await findOperatorSession(database, idOf(secret), Date.now())
      return session && { name: session.operator, sessionId: session.id }
    },
  }
}
