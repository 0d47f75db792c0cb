import { z } from 'zod'
import { consoleCall } from './console-call'

/** A device id, or an email address (the one with `@`). Not in a URL, because proxies log URLs. */
const subject = z.object({ subject: z.string().trim().min(1).max(320) })
const counts = z.array(z.object({ table: z.string(), rows: z.number() }))
export type TableCount = z.infer<typeof counts>[number]

export const findPerson = consoleCall({
  method: 'POST',
  isRead: true,
  path: '/privacy/find',
  input: subject,
  output: z.object({ tables: counts }),
})

/** A file: an object with the rows of each table. */
export const exportPerson = consoleCall({
  method: 'POST',
  isRead: true,
  path: '/privacy/export',
  input: subject,
  output: z.unknown(),
})

export const deletePerson = consoleCall({
  method: 'POST',
  path: '/privacy/delete',
  input: subject,
  output: z.object({ tables: counts }),
})

const retentionRow = z.object({
  table: z.string(),
  /** Null: kept always. */
  days: z.number().nullable(),
  /** When rows were deleted last, and how many; null before the first time. */
  prunedAt: z.number().nullable(),
  deleted: z.number().nullable(),
})
export type RetentionRow = z.infer<typeof retentionRow>

export const readRetention = consoleCall({
  method: 'GET',
  path: '/privacy/retention',
  input: z.object({}),
  output: z.object({ tables: z.array(retentionRow) }),
})
