import { z } from 'zod'
import { consoleCall } from './console-call'

/** Redirects and missing addresses of the last days. */
export const addressDays = 30

const redirectRow = z.object({
  from: z.string(),
  to: z.string(),
  status: z.number(),
  locales: z.string(),
  line: z.number(),
  hits: z.number(),
})
export type RedirectUse = z.infer<typeof redirectRow>

const missingAddress = z.object({
  host: z.string(),
  path: z.string(),
  /** Page that the visitor came from, without query; empty when unknown. */
  referrer: z.string(),
  count: z.number(),
  lastDay: z.string(),
})
export type MissingAddress = z.infer<typeof missingAddress>

export const listAddresses = consoleCall({
  method: 'GET',
  path: '/addresses',
  input: z.object({}),
  output: z.object({ redirects: z.array(redirectRow), missing: z.array(missingAddress) }),
})

/** A target for a missing address, as a row of `content/redirects.yaml`. */
export const proposeRedirect = consoleCall({
  method: 'GET',
  path: '/addresses/proposal',
  input: z.object({ host: z.string().max(16), path: z.string().min(1).max(2048) }),
  output: z.object({ title: z.string(), row: z.string() }),
})

export const explainAddress = consoleCall({
  method: 'GET',
  path: '/addresses/explanation',
  input: z.object({
    url: z.string().min(1).max(4096),
    acceptLanguage: z.string().max(200).optional(),
  }),
  output: z.object({
    host: z.string(),
    origin: z.string(),
    rules: z.array(z.string()),
    status: z.number(),
    /** Where a redirect leads; empty for pages. */
    location: z.string(),
    route: z.string(),
    details: z.array(z.string()),
  }),
})
