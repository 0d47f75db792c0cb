import { useCallback, useSyncExternalStore } from 'react'

/**
 * Whether a media query matches. Only for components that appear after hydration: the server
 * cannot know the answer, so React throws when this hook runs there or during hydration.
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
