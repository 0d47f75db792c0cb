import { createHash } from 'node:crypto'
import { z } from 'zod'
import { utcDay } from '../../../shared/utc-day'
import { countReferral } from '../../db/visitor-store'
import { anonymizeAddress } from '../../request/client-address'
import { defineCall, type CallContext } from '../define-call'
import { referralCode } from '../input-fields'
import { deviceIdOf, isTrackingAllowed } from '../visitor/tracking-consent'

/**
 * `GET /api/sys/config/ref/set?c_v=`: counts a referral code once per device. `counted` is false
 * when it was counted before.
 */
export const referral = defineCall({
  method: 'GET',
  path: '/sys/config/ref/set',
  rateLimit: 'other',
  isWrite: true,
  inputFrom: 'query',
  input: z.object({ c_v: referralCode }),
  createHandler:
    ({ database, store, reserveRows }) =>
    async ({ c_v }, context) => {
      const knownId = isTrackingAllowed(context, store.siteConfig()) ? deviceIdOf(context) : ''
      await reserveRows('visitor', context.address, c_v)
      return { counted: await countReferral(database, knownId || anonymousId(context), c_v) }
    },
})

/**
 * Identifies a device without an id for one day, by a hash of shortened address and user agent:
 * enough not to count a reload again, too little to recognize a person.
 */
function anonymousId({ address, headers }: CallContext): string {
  const day = utcDay(Date.now())
  return `day:${createHash('sha256')
    .update([day, anonymizeAddress(address), headers['user-agent'] ?? ''].join('\n'))
    .digest('hex')
    .slice(0, 24)}`
}
