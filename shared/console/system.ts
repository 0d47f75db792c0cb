import { z } from 'zod'
import { consoleCall } from './console-call'

const fact = z.object({ name: z.string(), value: z.string() })
export type Fact = z.infer<typeof fact>

const announcement = z.object({
  id: z.number(),
  at: z.number(),
  host: z.string(),
  urls: z.number(),
  attempts: z.number(),
  state: z.enum(['announced', 'waiting', 'failed']),
  answer: z.string(),
  list: z.array(z.string()),
})
export type AnnouncementRow = z.infer<typeof announcement>

const count = z.number()
const processRow = z.object({
  process: z.string(),
  role: z.string(),
  /** Of Node. */
  version: z.string(),
  /** Null for the content process, which serves no requests. */
  figures: z
    .object({
      upSeconds: count,
      memoryBytes: count,
      /** Of the page cache. */
      cacheEntries: count,
      cacheBytes: count,
      cacheMaxBytes: count,
      hits: count,
      misses: count,
      /** Pictures, searches and statements that wait or run. */
      waiting: count,
      /** Requests that were answered with 5xx. */
      failed: count,
    })
    .nullable(),
})
export type ProcessRow = z.infer<typeof processRow>
const failedRequest = z.object({
  process: z.string(),
  at: z.number(),
  id: z.string(),
  path: z.string(),
  message: z.string(),
})
export type FailedRequest = z.infer<typeof failedRequest>

export const readSystem = consoleCall({
  method: 'GET',
  path: '/system',
  input: z.object({}),
  output: z.object({
    /** Of this machine, as they were at most five seconds ago. */
    processes: z.array(processRow),
    /** Of the process that answers. */
    facts: z.array(fact),
    failed: z.array(failedRequest),
    problems: z.array(z.object({ file: z.string(), line: z.number(), reason: z.string() })),
    announcements: z.array(announcement),
  }),
})

export const runDoctor = consoleCall({
  method: 'POST',
  path: '/system/doctor',
  input: z.object({}),
  output: z.object({ text: z.string() }),
})

const list = z.array(z.string().min(1).max(2048)).min(1).max(1000)
export const purgeRequestRule = 'one of tags, paths (each a list of 1 to 1000 strings) or all: true'
/**
 * What an operator may purge (spec 8.5): surrogate keys, paths (on every host) or full addresses
 * (on one host), or everything.
 */
export const purgeRequest = z.union(
  [
    z.strictObject({ tags: list }),
    z.strictObject({ paths: list }),
    z.strictObject({ all: z.literal(true) }),
  ],
  purgeRequestRule,
)
export type PurgeRequest = z.infer<typeof purgeRequest>
/** Drops cached pages, as `POST /_ops/cache/purge` does (spec 8.5). */
export const purgePages = consoleCall({
  method: 'POST',
  path: '/system/purge',
  input: purgeRequest,
  output: z.object({ purged: z.number() }),
})
