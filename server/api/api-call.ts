import type { ApiServices } from './api-services'
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { HostName } from '../../shared/i18n/locales'
import { SiteError } from '../errors'

/** Which allowance a call counts against (decisions 10): one setting `RATE_…` each. */
export type LimitClass = 'signin' | 'events' | 'messages' | 'other'

/** What a call may know of its request besides its input, and the headers it may add to its answer. */
export type CallContext = {
  /** The visitor's address: the peer's, or what `TRUST_PROXY` proxies vouch for. */
  address: string
  headers: IncomingHttpHeaders
  /** Which of the three language hosts was asked. */
  host: HostName
  /** As they came; checked where one is used. */
  cookies: Readonly<Record<string, unknown>>
  /** Fires when the client has gone: nobody waits for the answer any more. */
  gone: AbortSignal
  setHeader: (name: string, value: string | readonly string[]) => void
}

/** One row of the API's table: what `server/middleware/api.ts` needs to answer a call. */
export type ApiCall = {
  method: 'GET' | 'POST'
  /** Below `/api`, matched to the letter. */
  path: `/${string}`
  limit: LimitClass
  /** How the input comes: in the query, as a form, or as JSON. */
  from: 'query' | 'form' | 'json'
  /** Instead of `no-store`, for the few answers that are the same for everyone. */
  cacheControl?: string
  /** Checks the input (400 naming the field) and answers the data, which the middleware wraps. */
  make: (
    site: ApiServices,
  ) => (raw: Readonly<Record<string, unknown>>, context: CallContext) => unknown
}

/** Counts a call against its class for an address (one IPv4 address or one IPv6 /64); throws `tooManyRequests` with `Retry-After` when it is used up. */
export type RateLimits = (call: Pick<ApiCall, 'limit'>, address: string) => Promise<void>

type Definition<I, O> = Omit<ApiCall, 'make'> & {
  input: z.ZodType<I>
  make: (site: ApiServices) => (input: I, context: CallContext) => O | Promise<O>
}

/** A row with a typed input: `make` is called once at start, what it returns once a request. */
export function defineCall<I, O>({ input, make, ...row }: Definition<I, O>): ApiCall {
  return {
    ...row,
    make: (site) => {
      const answer = make(site)
      return (raw, context) => answer(parseInput(input, raw), context)
    },
  }
}

/** A field of the wrong form is 400 and named: `lang: no such language`. What the schema does not name is ignored. */
export function parseInput<I>(schema: z.ZodType<I>, raw: unknown): I {
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.')
  throw new SiteError('badRequest', field ? `${field}: ${issue?.message}` : issue?.message)
}
