import { createHash } from 'node:crypto'
import { z } from 'zod'
import { countReferral } from '../db/visitor-store'
import { shortAddress } from '../request/client-address'
import { defineCall, type CallContext } from './api-call'
import { referralCode } from './fields'
import { deviceOf, mayIdentify } from './visitor-rights'

/** `GET /api/sys/config/ref/set?c_v=`: counts a referral code once a device. `counted` is false the second time. */
export const referral = defineCall({
  method: 'GET',
  path: '/sys/config/ref/set',
  limit: 'other',
  from: 'query',
  input: z.object({ c_v: referralCode }),
  make:
    ({ database, store }) =>
    async ({ c_v }, context) => {
      const device =
        (mayIdentify(context, store.site()) && deviceOf(context)) || unnamedDevice(context)
      return { counted: await countReferral(database, device, c_v) }
    },
})

/** Stands for a device without an id for a day: enough that a reload is not counted again, too little to know anyone by. */
function unnamedDevice({ address, headers }: CallContext): string {
  const day = new Date().toISOString().slice(0, 10)
  return `day:${createHash('sha256')
    .update([day, shortAddress(address), headers['user-agent'] ?? ''].join('\n'))
    .digest('hex')
    .slice(0, 24)}`
}
