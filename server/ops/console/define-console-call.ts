import type { z } from 'zod'
import type { ConsoleCall } from '../../../shared/console/console-call'
import { parseInput } from '../../api/define-call'
import type { OpsServices, PlainAnswer } from '../ops-call'

/** Who asks: a session's operator, or a program with the bearer token. */
export type Operator = {
  name: string
  /** Null with the bearer token. */
  sessionId: string | null
}
type ConsoleCallContext = {
  operator: Operator
  /** Whether the host's origin is https. */
  isSecure: boolean
  setHeader: (name: string, value: string) => void
}

/** One row of the table of the console's calls. */
export type ConsoleCallRow = {
  method: 'GET' | 'POST'
  /** A POST that changes nothing. */
  isRead: boolean
  path: `/${string}`
  maxBodyBytes?: number | undefined
  /** Fields of a change for the log: what was changed, without personal data. */
  logged: (raw: unknown) => Readonly<Record<string, unknown>>
  /** Returns a handler that checks the raw input (400 naming the field) and returns the data. */
  createHandler: (services: OpsServices) => (raw: unknown, context: ConsoleCallContext) => unknown
}

type Implementation<Input extends z.ZodType, Output extends z.ZodType> = {
  /** What the log says about a change besides the call and the operator. */
  logged?: (input: z.output<Input>) => Readonly<Record<string, unknown>>
  /** Called once at start; the handler that it returns is called once per request. */
  createHandler: (
    services: OpsServices,
  ) => (
    input: z.output<Input>,
    context: ConsoleCallContext,
  ) => z.input<Output> | PlainAnswer | Promise<z.input<Output> | PlainAnswer>
}

/** Makes a row of the table from a shared call and its implementation. */
export function implementCall<Input extends z.ZodType, Output extends z.ZodType>(
  { method, isRead = false, path, input, maxBodyBytes }: ConsoleCall<Input, Output>,
  { logged, createHandler }: Implementation<Input, Output>,
): ConsoleCallRow {
  const parse = (raw: unknown): z.output<Input> => parseInput(input, raw)
  return {
    method,
    isRead,
    path,
    maxBodyBytes,
    logged: (raw) => logged?.(parse(raw)) ?? {},
    createHandler: (services) => {
      const handle = createHandler(services)
      return (raw, context) => handle(parse(raw), context)
    },
  }
}
