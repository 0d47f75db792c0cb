import { z } from 'zod'

const text = z.string().catch('')
/** The stored fields of an event. A missing or malformed field counts as empty. */
const fieldsSchema = z.object({
  trigger: text,
  key: text,
  target_url: text,
  message: text,
  error_type: z.union([z.string(), z.number()]).transform(String).catch(''),
  addition: z.record(z.string(), z.unknown()).catch({}),
})
export type EventFields = z.infer<typeof fieldsSchema>

export function parseEventFields(data: string): EventFields | null {
  try {
    return fieldsSchema.parse(JSON.parse(data))
  } catch {
    return null
  }
}

/** The path of a URL. The host is left out because the three hosts are one site. */
export const pathOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).pathname.slice(0, 300) : '(unknown)'

/**
 * The system of a click on a file; null for other events. The key of files is `download-file` or
 * `download-detected`; before there were tracking keys it was `download`.
 */
export function downloadSystem(
  kind: string,
  { key, addition: { system } }: EventFields,
): string | null {
  if (kind !== 'click' || !/^download(?:-|$)/.test(key)) return null
  return typeof system === 'string' && /^\w{1,32}$/.test(system) ? system : null
}
