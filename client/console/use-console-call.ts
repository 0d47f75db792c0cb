import { useCallback, useEffect, useState } from 'react'
import type { z } from 'zod'
import type { ConsoleCall } from '../../shared/console/console-call'
import { callConsole } from './call-console'

/** The state of a read. `data` is kept while it is read again. */
type CallState<Data> = {
  data: Data | null
  error: string | null
  isLoading: boolean
  reload: () => void
}

/** What a failure shows to the operator. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong.'

/** Reads from the server when a view is shown, and again when its input changes. */
export function useConsoleCall<Input extends z.ZodType, Output extends z.ZodType>(
  call: ConsoleCall<Input, Output>,
  input: z.input<Input>,
): CallState<z.output<Output>> {
  const [state, setState] = useState<Omit<CallState<z.output<Output>>, 'reload'>>({
    data: null,
    error: null,
    isLoading: true,
  })
  const [attempt, setAttempt] = useState(0)
  // Objects with the same fields are the same input.
  const key = JSON.stringify(input)
  useEffect(() => {
    const aborted = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    callConsole(call, JSON.parse(key) as z.input<Input>, aborted.signal).then(
      (data) => setState({ data, error: null, isLoading: false }),
      (error: unknown) => {
        if (aborted.signal.aborted) return
        setState((before) => ({ ...before, error: messageOf(error), isLoading: false }))
      },
    )
    return () => aborted.abort()
  }, [call, key, attempt])
  const reload = useCallback(() => setAttempt((before) => before + 1), [])
  return { ...state, reload }
}

/** A change that an operator starts: whether it runs, and the message of its failure. */
export type ConsoleAction = {
  isRunning: boolean
  error: string | null
  run: (work: () => Promise<void>) => void
}

export function useConsoleAction(): ConsoleAction {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const run = useCallback((work: () => Promise<void>) => {
    setRunning(true)
    setError(null)
    work()
      .catch((failure: unknown) => setError(messageOf(failure)))
      .finally(() => setRunning(false))
  }, [])
  return { isRunning, error, run }
}
