import { z } from 'zod'
import { maxFieldLengths } from '../../../shared/constants'
import { recordSource } from '../../db/visitor-store'
import { defineCall } from '../define-call'
import { singleLine, sourceLine } from '../input-fields'
import { tryParseJson } from '../parse-json'
import { renewedCookies } from '../visitor/renewed-cookies'
import { deviceIdOf, isTrackingAllowed } from '../visitor/tracking-consent'

const sourceData = z.object(
  {
    page_url: sourceLine,
    source: sourceLine,
    callback: sourceLine,
    utm_source: sourceLine,
    utm_medium: sourceLine,
    utm_term: sourceLine,
    utm_content: sourceLine,
    utm_campaign: sourceLine,
    bd_vid: sourceLine,
  },
  'the JSON text of an object',
)

/**
 * `POST /api/sys/user/passport/record-source`: stores where a visit came from, unless the visitor
 * may not be identified. The response also renews the cookies of tracking (spec 7.8).
 */
export const recordTrafficSource = defineCall({
  method: 'POST',
  path: '/sys/user/passport/record-source',
  rateLimit: 'visitor',
  inputFrom: 'form',
  input: z.object({
    referer: singleLine(maxFieldLengths.source).default(''),
    source_data: z.string('a JSON text').transform(tryParseJson).pipe(sourceData),
  }),
  createHandler:
    ({ database, store, hosts, settings, reserveRows }) =>
    async ({ referer, source_data }, context) => {
      const trackingAllowed = isTrackingAllowed(context, store.siteConfig())
      // `page_url` and `bd_vid` can contain click ids, which name one person.
      if (trackingAllowed) {
        const source = { ...source_data, referer, device_id: deviceIdOf(context) }
        await reserveRows('visitor', context.address, JSON.stringify(source))
        await recordSource(database, source)
      }
      context.setHeader(
        'Set-Cookie',
        renewedCookies(context, {
          trackingAllowed,
          secure: hosts.isSecure(context.host),
          domain: settings.COOKIE_DOMAIN,
        }),
      )
      return null
    },
})
