import { z } from 'zod'
import { analytics } from '../../../shared/constants'
import { localeFromParam } from '../../url/negotiate-locale'
import type { StoredEvent } from '../../db/event-store'

/**
 * A value as a text that is truncated when it is too long, so that a long title does not lose the
 * click. Null when it is neither a text nor a number; undefined when it is absent.
 */
function truncate(value: unknown, maxLength: number): string | null | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).slice(0, maxLength)
}

const truncatedText = (maxLength: number) =>
  z
    .unknown()
    .transform((value, context): string | undefined => {
      const text = truncate(value, maxLength)
      if (text !== null) return text
      context.addIssue({ code: 'custom', message: 'a text' })
      return z.NEVER
    })
    .optional()
const optionalObject = z.record(z.string(), z.unknown(), 'an object').nullish()
const optionalNumber = z.number('a number').nullish()

const eventSchema = z.object({
  // Stored in columns.
  id: z.uuid(),
  ts: z.number().nonnegative().max(8.64e15),
  kind: z.enum(['click', 'view', 'expose', 'error']),
  op: z.number(),
  // Stored together as JSON.
  duration: optionalNumber,
  addition: optionalObject,
  error_type: z.union([z.string().max(64), z.number()]).nullish(),
})
/**
 * The texts of an event, and how many characters of each are stored. The schema above
 * leaves them to `readTexts`: a batch of 20 events has 200 texts, and checking each by a schema
 * would make reading a batch take more than twice as long.
 */
const maxTextLengths = {
  url: 2048,
  title: 512,
  referrer: 2048,
  trigger: 128,
  content: 512,
  key: 128,
  el_type: 64,
  el_class: 512,
  target_url: 2048,
  message: 2048,
}
const textFields = Object.entries(maxTextLengths)

/** Null when a text of the event is neither a text nor a number. */
function readTexts(event: Readonly<Record<string, unknown>>): Record<string, string> | null {
  const texts: Record<string, string> = {}
  for (const [name, maxLength] of textFields) {
    const text = truncate(event[name], maxLength)
    if (text === null) return null
    if (text !== undefined) texts[name] = text
  }
  return texts
}

const contextSchema = z.object(
  {
    user_id: truncatedText(128),
    user_info: optionalObject,
    os: truncatedText(64),
    ua: truncatedText(512),
    device_id: truncatedText(64),
    screen_height: optionalNumber,
    screen_width: optionalNumber,
    pixel_ratio: optionalNumber,
    app_version: truncatedText(64),
    page_flag: truncatedText(128),
    object_type: truncatedText(128),
    locale: truncatedText(64),
  },
  'an object',
)

/**
 * The decrypted `_a` of an analytics batch (spec 6). `readEvents` checks the events one by one, so
 * that a bad event does not refuse the others.
 */
export const batchSchema = z.object(
  {
    list: z
      .array(z.unknown(), 'a list of events')
      .min(1, '1 to 20 events')
      .max(analytics.batchSize, '1 to 20 events'),
    comm: contextSchema,
  },
  '_a: the JSON text of an object',
)
type Batch = z.infer<typeof batchSchema>

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
    const parsed = eventSchema.safeParse(raw)
    if (!parsed.success) return []
    const { id, ts, kind, op, duration, addition, error_type } = parsed.data
    // Cast: the schema accepts only objects.
    const texts = readTexts(raw as Record<string, unknown>)
    if (!texts || analytics.operations[kind] !== op) return []
    const { url = '', ...others } = texts
    return [
      {
        id: id.toLowerCase(),
        ts: Math.trunc(ts),
        kind,
        op,
        url,
        ...sharedColumns,
        data: JSON.stringify({ ...others, duration, addition, error_type }),
      },
    ]
  })
  return { events, refused: list.length - events.length, context: JSON.stringify(comm) }
}
