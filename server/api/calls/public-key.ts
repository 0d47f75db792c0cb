import { z } from 'zod'
import { defineCall } from '../define-call'

/** `GET /api/sys/config/public-key`: the public key for which browsers seal envelopes. */
export const publicKey = defineCall({
  method: 'GET',
  path: '/sys/config/public-key',
  rateLimit: 'other',
  inputFrom: 'query',
  input: z.object({}),
  createHandler:
    ({ keyring }) =>
    () =>
      keyring.publicKey(),
})
