import { z } from 'zod'
import { redeemToken } from '../db/sign-in-store'
import { SiteError } from '../errors'
import { defineCall } from './api-call'

/** `POST /api/sys/user/passport/redeem`: for the application's server, who a one-time token stands for; once, within a minute. */
export const redeem = defineCall({
  method: 'POST',
  path: '/sys/user/passport/redeem',
  limit: 'signin',
  from: 'json',
  input: z.object({ token: z.string('a token').max(200, 'too long') }),
  make:
    ({ database }) =>
    async ({ token }) => {
      const user = await redeemToken(database, token)
      if (!user) throw new SiteError('unauthorized', 'The token is not valid, or was used')
      return user
    },
})
