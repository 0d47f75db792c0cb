import { z } from 'zod'
import type { Database } from './database'

/** What a context says about the visitor; each part may be empty. */
export type VisitorContext = { country: string; device: 'desktop' | 'phone' | 'tablet' | '' }

/** The parts that are read here. Clients may send anything, so they are checked. */
const contextSchema = z.object({
  user_info: z
    .object({
      country: z
        .string()
        .regex(/^[A-Z]{2}$/)
        .catch(''),
    })
    .catch({ country: '' }),
  ua: z.string().catch(''),
})
const unknown: VisitorContext = { country: '', device: '' }

/** The kind of device by the user agent. An iPad calls itself a Mac, so it counts as a desktop. */
function deviceOf(ua: string): VisitorContext['device'] {
  if (!ua) return ''
  if (/iPad|Tablet/.test(ua)) return 'tablet'
  if (ua.includes('Android')) return ua.includes('Mobile') ? 'phone' : 'tablet'
  return /Mobi|iPhone/.test(ua) ? 'phone' : 'desktop'
}

function parseContext(data: string): VisitorContext {
  const { user_info, ua } = contextSchema.parse(JSON.parse(data))
  return { country: user_info.country, device: deviceOf(ua) }
}

/**
 * Adds the contexts of `ids` that the map does not hold yet. `run` is `Database.run` or
 * `Database.report`.
 */
export async function addContexts(
  run: Database['run'],
  ids: readonly string[],
  known: Map<string, VisitorContext>,
): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => !known.has(id))
  if (missing.length === 0) return
  const contexts = await run((db) =>
    db.selectFrom('event_contexts').select(['id', 'data']).where('id', 'in', missing).execute(),
  )
  for (const id of missing) known.set(id, unknown)
  for (const { id, data } of contexts) known.set(id, parseContext(data))
}
