import { z } from 'zod'
import { analytics } from '../../shared/constants'
import { localeOfCall } from '../url/negotiate-locale'
import type { StoredEvent } from '../db/event-store'

/** A text that a page gave, cut where it is too long: a long title is no reason to lose the click. */
const cut = (most: number) => z.union([z.string(), z.number().transform(String)]).transform((value) => value.replaceAll('\0', '').slice(0, most)).nullish()
const object = z.record(z.string(), z.unknown()).nullish()

/** What an event may bear besides what tables are searched by. */
const rest = z.object({
  title: cut(512), referrer: cut(2048), duration: z.number().nullish(), trigger: cut(128), addition: object,
  content: cut(512), key: cut(128), el_type: cut(64), el_class: cut(512), target_url: cut(2048),
  error_type: z.union([z.string().max(64), z.number()]).nullish(), message: cut(2048),
})
const head = z.object({
  id: z.uuid().transform((value) => value.toLowerCase()),
  ts: z.number().nonnegative().max(8.64e15).transform(Math.trunc),
  kind: z.enum(['click', 'view', 'expose', 'error']),
  op: z.number(),
  url: cut(2048),
})

const context = z.object({
  user_id: cut(128), user_info: object, os: cut(64), ua: cut(512), device_id: cut(64), screen_height: z.number().nullish(), screen_width: z.number().nullish(),
  pixel_ratio: z.number().nullish(), app_version: cut(64), page_flag: cut(128), object_type: cut(128), locale: cut(64),
})

/** The decrypted `_a` of an analytics batch (decisions 6). The events are looked at one by one later: a bad one is refused by itself. */
export const batchSchema = z.object({
  list: z.array(z.unknown(), 'a list of events').min(1, '1 to 20 events').max(analytics.batchSize, '1 to 20 events'),
  comm: context,
})
export type Batch = z.infer<typeof batchSchema>

/** The events of a batch as they are stored; `refused` counts those of an unknown kind, of an `op` that is not the kind's, or malformed. */
export function readEvents({ list, comm }: Batch): { events: StoredEvent[]; refused: number; context: string } {
  const shared = { locale: localeOfCall(comm.locale ?? '') ?? '', device_id: comm.device_id ?? '' }
  const events = list.flatMap((raw): StoredEvent[] => {
    const event = head.safeParse(raw)
    const other = rest.safeParse(raw)
    if (!event.success || !other.success || analytics.operations[event.data.kind] !== event.data.op) return []
    return [{ ...event.data, url: event.data.url ?? '', ...shared, data: JSON.stringify(other.data) }]
  })
  return { events, refused: list.length - events.length, context: JSON.stringify(comm) }
}
