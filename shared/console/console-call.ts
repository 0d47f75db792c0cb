import { z } from 'zod'

/**
 * One call of the owner's console below `/_ops/api`, as server and browser agree on it: the server
 * checks the input, the browser the answer.
 */
export type ConsoleCall<Input extends z.ZodType, Output extends z.ZodType> = {
  method: 'GET' | 'POST'
  /** A POST that changes nothing: its input must not be in a URL. */
  isRead?: boolean
  /** Below `/_ops/api`; compared exactly. */
  path: `/${string}`
  /** Of a GET: from the query, so that every field is read from text. */
  input: Input
  output: Output
  /** Of a POST with more than 64 KiB. */
  maxBodyBytes?: number
}

/** A field of a query. Empty, it counts as absent. */
export const optionalField = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/** Declares a call. */
export const consoleCall = <Input extends z.ZodType, Output extends z.ZodType>(
  call: ConsoleCall<Input, Output>,
): ConsoleCall<Input, Output> => call

export const consolePaths = { page: '/_ops/console', api: '/_ops/api' } as const
