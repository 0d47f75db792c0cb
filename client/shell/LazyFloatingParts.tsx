import { useEffect, useState, type ComponentType } from 'react'

/** Loads the floating elements after hydration: the page is readable without them. */
export function LazyFloatingParts() {
  const [Parts, setParts] = useState<ComponentType | null>(null)
  useEffect(() => {
    let canceled = false
    import(/* webpackChunkName: "floating" */ './FloatingParts').then(
      (module) => {
        if (!canceled) setParts(() => module.FloatingParts)
      },
      // The page is complete without them. The next navigation handles a chunk that a newer build
      // has removed.
      () => undefined,
    )
    return () => {
      canceled = true
    }
  }, [])
  return Parts && <Parts />
}
