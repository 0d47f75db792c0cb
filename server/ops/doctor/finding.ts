import { errorCode } from '../../errors'

/** A clock to compare with: `offsetMs` is how far this machine's clock is behind it. */
export type ClockReading = { name: string; offsetMs: number }

/**
 * The result of a check. `note`: it works, but the operator should know; `wrong`: has to be fixed.
 */
export type Finding = {
  topic: string
  level: 'ok' | 'note' | 'wrong'
  message: string
  fix?: string
  /** The clock of the service that was checked, if it told the time. */
  clock?: ClockReading
}

export const ok = (topic: string, message: string): Finding => ({ topic, level: 'ok', message })
export const note = (topic: string, message: string, fix?: string): Finding => ({
  topic,
  level: 'note',
  message,
  ...(fix ? { fix } : {}),
})
export const problem = (topic: string, message: string, fix: string): Finding => ({
  topic,
  level: 'wrong',
  message,
  fix,
})

/** Runs a check. A check that throws becomes a finding, so that the other checks still run. */
export async function runCheck(
  topic: string,
  check: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    return [
      problem(
        topic,
        `the check failed (${causeOf(error)})`,
        'fix the other problems, then run the doctor again',
      ),
    ]
  }
}

/** A short cause: the code of a network error, else the first line of its message. */
export function causeOf(error: unknown): string {
  if (error instanceof Error && error.cause) return causeOf(error.cause)
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  const code = errorCode(error)
  if (typeof code === 'string') return code
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
