import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Filters of a view, saved in the address. An empty value removes a filter. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [Record<Name, string>, (changes: Partial<Record<Name, string>>) => void] {
  const [parameters, setParameters] = useSearchParams()
  // Cast: the keys are the names.
  const values = Object.fromEntries(
    names.map((name) => [name, parameters.get(name) ?? '']),
  ) as Record<Name, string>
  const change = useCallback(
    (changes: Partial<Record<Name, string>>) =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries<string | undefined>(changes)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        { replace: true },
      ),
    [setParameters],
  )
  return [values, change]
}

/** The filters that are set. */
export const setFilters = <Name extends string>(
  values: Record<Name, string>,
): Partial<Record<Name, string>> =>
  // Cast: the entries are those of `values`.
  Object.fromEntries(Object.entries<string>(values).filter(([, value]) => value !== '')) as Partial<
    Record<Name, string>
  >
