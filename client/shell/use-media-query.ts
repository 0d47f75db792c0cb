import { useCallback, useSyncExternalStore } from 'react'

/**
 * Whether a media query matches. Only for parts that are not in the server's markup: React throws
 * where the server or hydration would need a value.
 */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
