import { useCallback, useSyncExternalStore } from 'react'

/**
 * Whether a media query matches. Only for components that are not in the server's HTML: React
 * throws when it renders one of them on the server or while it hydrates.
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
