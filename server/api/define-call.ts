import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { rowBudgets } from '../../shared/constants'
import type { HostName } from '../../shared/i18n/locales'
import type { Database } from '../db/database'
import { SiteError } from '../errors'
import type { ViewServices } from '../pages/create-view'
import type { PageServices } from '../pages/page-services'
import type { AddressLocation, LocateAddress } from '../request/address-locations'
import type { SearchService } from '../search/search-service'
import type { Keyring } from './envelope/keyring'

/** What calls may use. The first two are for the call that returns a whole page. */
export type ApiServices = ViewServices &
  Pick<PageServices, 'loadIsland' | 'view'> & {
    search: SearchService
    database: Database
    keyring: Keyring
    locate: LocateAddress
    reserveRows: ReserveRows
  }

/** What a request counts against (spec 10.1): one setting `RATE_…` each. */
export type RateLimitClass =
  'signin' | 'operators' | 'events' | 'messages' | 'visitor' | 'search' | 'miss' | 'other'

/** What a call may know of its request besides its input. */
export type CallContext = {
  /** The visitor's address: the peer's, or the one that `TRUST_PROXY` proxies report. */
  address: string
  headers: IncomingHttpHeaders
  /** Where that address is. */
  location: () => AddressLocation
  /** The language host of the request. */
  host: HostName
  /** Unchecked: each call validates the cookies that it reads. */
  cookies: Readonly<Record<string, unknown>>
  /** Aborted when the client disconnects. */
  signal: AbortSignal
  /** Adds a header to the response. */
  setHeader: (name: string, value: string | readonly string[]) => void
}

/** One row of the table of calls: what `server/middleware/api.ts` needs to answer it. */
export type ApiCall = {
  method: 'GET' | 'POST'
  /** Below `/api`; compared exactly. */
  path: `/${string}`
  rateLimit: RateLimitClass
  /**
   * Whether it is refused when a page of another site sends it. By default every method but GET and
   * HEAD is.
   */
  isWrite?: boolean
  /** Where the input is read from: the query, a form body or a JSON body. */
  inputFrom: 'query' | 'form' | 'json'
  /** Replaces `no-store`. Only for responses that are the same for everyone. */
  cacheControl?: string
  /** Returns a handler that checks the raw input (400 naming the field) and returns the data. */
  createHandler: (
    services: ApiServices,
  ) => (raw: Readonly<Record<string, unknown>>, context: CallContext) => unknown
}

/** The `Allow` header of a path that has these calls. */
export const allowOf = (calls: ReadonlyArray<Pick<ApiCall, 'method'>>): string =>
  calls.map(({ method }) => (method === 'GET' ? 'GET, HEAD' : method)).join(', ')

/**
 * Counts a call against its rate limit for an address (one IPv4 address or one IPv6 /64). Throws
 * `tooManyRequests` with `Retry-After` when the limit is used up. With 0 `requests` nothing is
 * counted.
 */
export type CheckRateLimit = (
  call: Pick<ApiCall, 'rateLimit'>,
  address: string,
  requests?: number,
) => Promise<void>

/** What visitors may add to the database in a day (spec 10.1). */
export type RowBudget = keyof typeof rowBudgets
/**
 * Counts a row that is about to be stored against the daily budget of the visitor's address block.
 * `text` holds the row's values. Throws `tooManyRequests` with `Retry-After` when the budget is used
 * up, so that one address cannot fill the disk.
 */
export type ReserveRows = (budget: RowBudget, address: string, text: string) => Promise<void>

type Definition<I, O> = Omit<ApiCall, 'createHandler'> & {
  input: z.ZodType<I>
  /** Called once at start; the handler that it returns is called once per request. */
  createHandler: (services: ApiServices) => (input: I, context: CallContext) => O | Promise<O>
}

/** Makes a row of the table from a definition whose handler takes typed input. */
export function defineCall<I, O>({ input, createHandler, ...row }: Definition<I, O>): ApiCall {
  return {
    ...row,
    createHandler: (services) => {
      const handle = createHandler(services)
      return (raw, context) => handle(parseInput(input, raw), context)
    },
  }
}

/**
 * Checks input against a schema. The message of the 400 names the field (`lang: no such language`).
 * Fields that the schema does not name are ignored.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  raw: unknown,
): z.output<Schema> {
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.')
  throw new SiteError('badRequest', field ? `${field}: ${issue?.message}` : issue?.message)
}
