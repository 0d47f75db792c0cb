import { z } from 'zod'
import { analytics } from '../../../shared/constants'
import { localeFromParam } from '../../url/negotiate-locale'
import type { StoredEvent } from '../../db/event-store'

/**
 * A text that is truncated when it is too long, so that a long title does not lose the click. One
 * transform instead of a union of schemas, because a batch of 20 events has 200 such fields.
 */
const truncatedText = (maxLength: number) =>
  z
    .unknown()
    .transform((value, context): string | undefined => {
      if (value === undefined || value === null) return undefined
      if (typeof value !== 'string' && typeof value !== 'number') {
        context.addIssue({ code: 'custom', message: 'a text' })
        return z.NEVER
      }
      const text = String(value)
      return (text.includes('\0') ? text.replaceAll('\0', '') : text).slice(0, maxLength)
    })
    .optional()
const optionalObject = z.record(z.string(), z.unknown()).nullish()

const eventSchema = z.object({
  // Stored in columns.
  id: z.uuid().transform((value) => value.toLowerCase()),
  ts: z.number().nonnegative().max(8.64e15).transform(Math.trunc),
  kind: z.enum(['click', 'view', 'expose', 'error']),
  op: z.number(),
  url: truncatedText(2048),
  // Stored together as JSON.
  title: truncatedText(512),
  referrer: truncatedText(2048),
  duration: z.number().nullish(),
  trigger: truncatedText(128),
  addition: optionalObject,
  content: truncatedText(512),
  key: truncatedText(128),
  el_type: truncatedText(64),
  el_class: truncatedText(512),
  target_url: truncatedText(2048),
  error_type: z.union([z.string().max(64), z.number()]).nullish(),
  message: truncatedText(2048),
})

const contextSchema = z.object({
  user_id: truncatedText(128),
  user_info: optionalObject,
  os: truncatedText(64),
  ua: truncatedText(512),
  device_id: truncatedText(64),
  screen_height: z.number().nullish(),
  screen_width: z.number().nullish(),
  pixel_ratio: z.number().nullish(),
  app_version: truncatedText(64),
  page_flag: truncatedText(128),
  object_type: truncatedText(128),
  locale: truncatedText(64),
})

/**
 * The decrypted `_a` of an analytics batch (spec 6). `readEvents` checks the events one by one, so
 * that a bad event does not refuse the others.
 */
export const batchSchema = z.object({
  list: z
    .array(z.unknown(), 'a list of events')
    .min(1, '1 to 20 events')
    .max(analytics.batchSize, '1 to 20 events'),
  comm: contextSchema,
})
export type Batch = z.infer<typeof batchSchema>

/**
 * The events of a batch in the form in which they are stored. `refused` counts the events that are
 * malformed, of an unknown kind, or whose `op` belongs to another kind.
 */
export function readEvents({ list, comm }: Batch): {
  events: StoredEvent[]
  refused: number
  context: string
} {
  const sharedColumns = {
    locale: localeFromParam(comm.locale ?? '') ?? '',
    device_id: comm.device_id ?? '',
  }
  const events = list.flatMap((raw): StoredEvent[] => {
    const event = eventSchema.safeParse(raw)
    if (!event.success || analytics.operations[event.data.kind] !== event.data.op) return []
    const { id, ts, kind, op, url = '', ...rest } = event.data
    return [{ id, ts, kind, op, url, ...sharedColumns, data: JSON.stringify(rest) }]
  })
  return { events, refused: list.length - events.length, context: JSON.stringify(comm) }
}
