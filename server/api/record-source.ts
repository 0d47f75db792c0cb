import { z } from 'zod'
import { fields } from '../../shared/constants'
import { recordSource } from '../db/visitor-store'
import { defineCall } from './api-call'
import { line, sourceLine } from './fields'
import { tryJson } from './read-body'
import { renewedCookies } from './renewed-cookies'
import { deviceOf, mayIdentify } from './visitor-rights'

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

/** `POST /api/sys/user/passport/record-source`: where a visit came from. Its answer writes the long-lived cookies anew (decisions 7). */
export const recordSourceCall = defineCall({
  method: 'POST',
  path: '/sys/user/passport/record-source',
  limit: 'other',
  from: 'form',
  input: z.object({
    referer: line(fields.source).default(''),
    source_data: z.string('a JSON text').transform(tryJson).pipe(sourceData),
  }),
  make:
    (site) =>
    async ({ referer, source_data }, context) => {
      const identified = mayIdentify(context, site.store.site())
      await recordSource(site.database, {
        ...source_data,
        referer,
        device_id: identified ? deviceOf(context) : '',
      })
      context.setHeader(
        'Set-Cookie',
        renewedCookies(context, {
          identified,
          secure: site.hosts.secure(context.host),
          domain: site.settings.COOKIE_DOMAIN,
        }),
      )
      return null
    },
})
