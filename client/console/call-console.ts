import type { z } from 'zod'
import { consolePaths, type ConsoleCall } from '../../shared/console/console-call'

/** A refusal of the server; its message is shown to the operator. */
class ConsoleError extends Error {}

/** The query of a GET; fields without a value are left out. */
export function queryOf(input: unknown): string {
  // Cast: `Object` returns `any`.
  const fields = Object.entries(Object(input) as Record<string, unknown>).flatMap(
    ([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, String(value)]]
        : [],
  )
  const query = new URLSearchParams(fields).toString()
  return query && `?${query}`
}

/** Without a session the page is loaded anew, which shows the sign-in form. */
async function sendCall<Input extends z.ZodType>(
  { method, path }: Pick<ConsoleCall<Input, z.ZodType>, 'method' | 'path'>,
  input: z.input<Input>,
  signal: AbortSignal | null,
): Promise<Response> {
  const isRead = method === 'GET'
  const response = await fetch(`${consolePaths.api}${path}${isRead ? queryOf(input) : ''}`, {
    method,
    signal,
    ...(isRead
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input) }),
  })
  if (response.status === 401) window.location.reload()
  return response
}

/** The data of an answer; a refusal is thrown with its message. */
async function readData(response: Response): Promise<unknown> {
  const answer = (await response.json().catch(() => null)) as {
    code: number
    msg: string
    data: unknown
  } | null
  if (!answer || answer.code !== 0)
    throw new ConsoleError(answer?.msg ?? `The server answered ${response.status}.`)
  return answer.data
}

/** Calls the server and checks its answer. */
export async function callConsole<Input extends z.ZodType, Output extends z.ZodType>(
  call: ConsoleCall<Input, Output>,
  input: z.input<Input>,
  signal: AbortSignal | null = null,
): Promise<z.output<Output>> {
  return call.output.parse(await readData(await sendCall(call, input, signal)))
}

/**
 * Sends a call that is answered with a file. The browser keeps a large file on disk. Rejects when
 * the connection ends before the file is complete.
 */
export async function readConsoleFile<Input extends z.ZodType>(
  call: ConsoleCall<Input, z.ZodType>,
  input: z.input<Input>,
): Promise<Blob> {
  const response = await sendCall(call, input, null)
  if (!response.ok) await readData(response)
  return response.blob()
}
