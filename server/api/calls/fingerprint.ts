import { z } from 'zod'
import { maxFieldLengths } from '../../../shared/constants'
import { recordFingerprint } from '../../db/visitor-store'
import { defineCall } from '../define-call'
import { tryParseJson } from '../parse-json'
import { deviceIdOf, isTrackingAllowed } from '../visitor/tracking-consent'

const maxBytes = maxFieldLengths.fingerprintBytes
const jsonText = z
  .string('a JSON text')
  .refine((text) => Buffer.byteLength(text) <= maxBytes, `at most ${maxBytes} bytes`)
  .refine((text) => tryParseJson(text) !== undefined, 'a JSON text')

/** Base64 of a JSON text, in the standard or the URL alphabet. Decodes to the text. */
const base64Json = z
  .string('base64 of a JSON text')
  .regex(/^(?:[A-Za-z0-9+/]+|[\w-]+)={0,2}$/, 'base64 of a JSON text')
  .transform((value) => Buffer.from(value, 'base64').toString('utf8'))
  .pipe(jsonText)

/**
 * `POST /api/client/record-data/log`: a browser's fingerprint. Equal values are stored once.
 * `stored` is false when the visitor may not be identified.
 */
export const fingerprint = defineCall({
  method: 'POST',
  path: '/client/record-data/log',
  rateLimit: 'visitor',
  inputFrom: 'form',
  input: z.object({
    log_type: z.string('a kind of log').regex(/^[a-z0-9_-]{1,64}$/, '1 to 64 of a-z, 0-9, _ or -'),
    data: jsonText,
    base_encode: base64Json,
  }),
  createHandler:
    ({ database, store, reserveRows }) =>
    async ({ log_type, data, base_encode }, context) => {
      if (!isTrackingAllowed(context, store.siteConfig())) return { stored: false }
      await reserveRows('visitor', context.address, data + base_encode)
      await recordFingerprint(database, {
        device_id: deviceIdOf(context),
        log_type,
        data,
        base: base_encode,
      })
      return { stored: true }
    },
})
