import { z } from 'zod'
import { redeemToken } from '../../db/sign-in-store'
import { SiteError } from '../../errors'
import { defineCall } from '../define-call'

/**
 * `POST /api/sys/user/passport/redeem`: tells the application's server which user a one-time token
 * belongs to. A token is valid once, for 60 s.
 */
export const redeem = defineCall({
  method: 'POST',
  path: '/sys/user/passport/redeem',
  rateLimit: 'signin',
  // The application's server calls it, and the token is the proof.
  isWrite: false,
  inputFrom: 'json',
  input: z.object({ token: z.string('a token').max(200, 'too long') }),
  createHandler:
    ({ database }) =>
    async ({ token }) => {
      const user = await redeemToken(database, token)
      if (!user) throw new SiteError('unauthorized', 'The token is not valid, or was used')
      return user
    },
})
