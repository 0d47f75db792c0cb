import { z } from 'zod'
import { defineCall } from './api-call'

/** `GET /api/sys/config/public-key`: what browsers wrap the keys of their envelopes with. */
export const publicKey = defineCall({
  method: 'GET',
  path: '/sys/config/public-key',
  limit: 'other',
  from: 'query',
  input: z.object({}),
  make:
    ({ keyring }) =>
    () =>
      keyring.publicKey(),
})
