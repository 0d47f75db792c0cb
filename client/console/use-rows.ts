import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from './use-console-call'

type Part<Row> = { rows: Row[]; next: string | null }

/** Rows that are read part by part, as far as the operator scrolls. `key` names the filter. */
export function useRows<Row>(
  key: string,
  read: (after: string | null, signal: AbortSignal) => Promise<Part<Row>>,
): {
  rows: readonly Row[]
  hasMore: boolean
  isLoading: boolean
  error: string | null
  /** Reads the next part; after a failure only `retry` does. */
  more: () => void
  retry: () => void
} {
  const [state, setState] = useState<{ key: string } & Part<Row>>({ key, rows: [], next: null })
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<string | null>(null)
  const aborted = useRef<AbortController | null>(null)
  const load = useCallback(
    (after: string | null) => {
      aborted.current?.abort()
      const controller = new AbortController()
      aborted.current = controller
      setLoading(true)
      setError(null)
      read(after, controller.signal).then(
        (part) => {
          setState((before) => ({
            key,
            rows: after === null ? part.rows : [...before.rows, ...part.rows],
            next: part.next,
          }))
          setLoading(false)
        },
        (failure: unknown) => {
          if (controller.signal.aborted) return
          setError(messageOf(failure))
          setLoading(false)
        },
      )
    },
    [key, read],
  )
  useEffect(() => {
    load(null)
    return () => aborted.current?.abort()
  }, [load])
  const isCurrent = state.key === key
  const { next } = state
  const more = useCallback((): void => {
    if (!isLoading && !error && isCurrent && next !== null) load(next)
  }, [isLoading, error, isCurrent, next, load])
  return {
    rows: isCurrent ? state.rows : [],
    hasMore: isCurrent && next !== null,
    isLoading,
    error,
    more,
    retry: () => load(isCurrent ? next : null),
  }
}
