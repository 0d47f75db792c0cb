import { z } from 'zod'
import { signIn } from '../../../shared/constants'
import { defineCall } from '../define-call'
import { createSignInNonces } from '../sign-in/sign-in-nonces'

/**
 * `GET /api/sys/user/passport/nonce`: a nonce for the identity provider's token. It is valid once,
 * for ten minutes.
 */
export const nonce = defineCall({
  method: 'GET',
  path: '/sys/user/passport/nonce',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({}),
  createHandler: ({ database }) => {
    const nonces = createSignInNonces(database)
    return async () => ({ nonce: await nonces.issue(), expires_in: signIn.nonceTtlMs / 1000 })
  },
})
