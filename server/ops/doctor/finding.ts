/** What a check found. `note`: works, but somebody should know; `wrong`: to be mended, and `todo` says how. */
export type Finding = { about: string; level: 'ok' | 'note' | 'wrong'; says: string; todo?: string }

export const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says })
export const noted = (about: string, says: string, todo?: string): Finding => ({
  about,
  level: 'note',
  says,
  ...(todo ? { todo } : {}),
})
export const wrong = (about: string, says: string, todo: string): Finding => ({
  about,
  level: 'wrong',
  says,
  todo,
})

/** A check that itself fails is a finding, not the end of the others. */
export async function attempt<T>(
  check: () => T | Promise<T>,
  otherwise: (finding: Finding) => T,
  about: string,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    return otherwise(
      wrong(
        about,
        `could not be looked at (${causeOf(error)})`,
        'mend what is said above, then look again',
      ),
    )
  }
}

/** A cause in few words: the code of a network failure, else its first line. */
export function causeOf(error: unknown): string {
  const { cause, code, message } = (error ?? {}) as {
    cause?: unknown
    code?: unknown
    message?: unknown
  }
  if (cause) return causeOf(cause)
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  return typeof code === 'string' ? code : (String(message ?? error).split('\n', 1)[0] ?? '')
}
