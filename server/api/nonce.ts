import { z } from 'zod'
import { signIn } from '../../shared/constants'
import { defineCall } from './api-call'
import { createNonces } from './sign-in-nonce'

/** `GET /api/sys/user/passport/nonce`: what the identity provider shall put into its token; good once, for ten minutes. */
export const nonce = defineCall({
  method: 'GET',
  path: '/sys/user/passport/nonce',
  limit: 'other',
  from: 'query',
  input: z.object({}),
  make: ({ database }) => {
    const nonces = createNonces(database)
    return async () => ({ nonce: await nonces.make(), expires_in: signIn.nonceLife / 1000 })
  },
})
