import { useEffect, useState, type ComponentType } from 'react'

/** What floats above the page comes after it: nothing of it is needed to read, and none of it is in the HTML. */
export function Floating() {
  const [Parts, setParts] = useState<ComponentType | null>(null)
  useEffect(() => {
    let gone = false
    import(/* webpackChunkName: "floating" */ './FloatingParts').then(
      (module) => {
        if (!gone) setParts(() => module.FloatingParts)
      },
      // The page is complete without them; a chunk that is gone is dealt with when the visitor moves on.
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [])
  return Parts && <Parts />
}
