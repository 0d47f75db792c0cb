import { z } from 'zod'
import { fields } from '../../shared/constants'
import { recordFingerprint } from '../db/visitor-store'
import { defineCall } from './api-call'
import { tryJson } from './read-body'
import { deviceOf, mayIdentify } from './visitor-rights'

const most = fields.fingerprintBytes
const jsonText = z
  .string('a JSON text')
  .refine((text) => Buffer.byteLength(text) <= most, `at most ${most} bytes`)
  .refine((text) => tryJson(text) !== undefined, 'a JSON text')

/** Base64 of a JSON text, standard or URL alphabet; becomes the text. */
const base64Json = z
  .string('base64 of a JSON text')
  .regex(/^(?:[A-Za-z0-9+/]+|[\w-]+)={0,2}$/, 'base64 of a JSON text')
  .transform((value) => Buffer.from(value, 'base64').toString('utf8'))
  .pipe(jsonText)

/** `POST /api/client/record-data/log`: a browser's fingerprint, kept once a value. `stored` is false where the visitor may not be told apart. */
export const fingerprint = defineCall({
  method: 'POST',
  path: '/client/record-data/log',
  limit: 'other',
  from: 'form',
  input: z.object({
    log_type: z.string('a kind of log').regex(/^[a-z0-9_-]{1,64}$/, '1 to 64 of a-z, 0-9, _ or -'),
    data: jsonText,
    base_encode: base64Json,
  }),
  make:
    ({ database, store }) =>
    async ({ log_type, data, base_encode }, context) => {
      if (!mayIdentify(context, store.site())) return { stored: false }
      await recordFingerprint(database, {
        device_id: deviceOf(context),
        log_type,
        data,
        base: base_encode,
      })
      return { stored: true }
    },
})
