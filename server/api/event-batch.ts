import { z } from 'zod'
import { analytics } from '../../shared/constants'
import { localeOfCall } from '../url/negotiate-locale'
import type { StoredEvent } from '../db/event-store'

/** A text that a page gave, cut where it is too long: a long title is no reason to lose the click. One function instead of a union of schemas: 20 events have 200 of these. */
const cut = (most: number) =>
  z
    .unknown()
    .transform((value, context): string | undefined => {
      if (value === undefined || value === null) return undefined
      if (typeof value !== 'string' && typeof value !== 'number') {
        context.addIssue({ code: 'custom', message: 'a text' })
        return z.NEVER
      }
      const text = String(value)
      return (text.includes('\0') ? text.replaceAll('\0', '') : text).slice(0, most)
    })
    .optional()
const object = z.record(z.string(), z.unknown()).nullish()

const eventSchema = z.object({
  // What tables are searched by.
  id: z.uuid().transform((value) => value.toLowerCase()),
  ts: z.number().nonnegative().max(8.64e15).transform(Math.trunc),
  kind: z.enum(['click', 'view', 'expose', 'error']),
  op: z.number(),
  url: cut(2048),
  // What it may bear besides.
  title: cut(512),
  referrer: cut(2048),
  duration: z.number().nullish(),
  trigger: cut(128),
  addition: object,
  content: cut(512),
  key: cut(128),
  el_type: cut(64),
  el_class: cut(512),
  target_url: cut(2048),
  error_type: z.union([z.string().max(64), z.number()]).nullish(),
  message: cut(2048),
})

const context = z.object({
  user_id: cut(128),
  user_info: object,
  os: cut(64),
  ua: cut(512),
  device_id: cut(64),
  screen_height: z.number().nullish(),
  screen_width: z.number().nullish(),
  pixel_ratio: z.number().nullish(),
  app_version: cut(64),
  page_flag: cut(128),
  object_type: cut(128),
  locale: cut(64),
})

/** The decrypted `_a` of an analytics batch (decisions 6). The events are looked at one by one later: a bad one is refused by itself. */
export const batchSchema = z.object({
  list: z
    .array(z.unknown(), 'a list of events')
    .min(1, '1 to 20 events')
    .max(analytics.batchSize, '1 to 20 events'),
  comm: context,
})
export type Batch = z.infer<typeof batchSchema>

/** The events of a batch as they are stored; `refused` counts those of an unknown kind, of an `op` that is not the kind's, or malformed. */
export function readEvents({ list, comm }: Batch): {
  events: StoredEvent[]
  refused: number
  context: string
} {
  const shared = { locale: localeOfCall(comm.locale ?? '') ?? '', device_id: comm.device_id ?? '' }
  const events = list.flatMap((raw): StoredEvent[] => {
    const event = eventSchema.safeParse(raw)
    if (!event.success || analytics.operations[event.data.kind] !== event.data.op) return []
    const { id, ts, kind, op, url = '', ...rest } = event.data
    return [{ id, ts, kind, op, url, ...shared, data: JSON.stringify(rest) }]
  })
  return { events, refused: list.length - events.length, context: JSON.stringify(comm) }
}
