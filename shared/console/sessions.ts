import { z } from 'zod'
import { consoleCall } from './console-call'

/** Sessions of operators: HttpOnly cookie, below `/_ops` only (spec 12.1). */
export const operatorSession = { name: 'ops_session', maxAgeSeconds: 8 * 60 * 60 } as const

/** The operator's name, for the log. An email address is refused, because logs hold none. */
export const operatorName = z
  .string()
  .trim()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._'-]{0,63}$/u,
    "a name has 1 to 64 letters, digits, spaces and . _ - '",
  )

const sessionRow = z.object({
  id: z.string(),
  operator: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
  isCurrent: z.boolean(),
})
export type SessionRow = z.infer<typeof sessionRow>

export const listSessions = consoleCall({
  method: 'GET',
  path: '/sessions',
  input: z.object({}),
  output: z.object({ sessions: z.array(sessionRow) }),
})

export const revokeSession = consoleCall({
  method: 'POST',
  path: '/sessions/revoke',
  input: z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) }),
  output: z.object({ revoked: z.boolean() }),
})

export const signOut = consoleCall({
  method: 'POST',
  path: '/sign-out',
  input: z.object({}),
  output: z.object({}),
})
