import { useEffect, useRef, type RefObject } from 'react'

/**
 * Ref of an element that takes the focus when `isDue` becomes true and no element has it: the
 * control that the visitor used has been removed or disabled, and the keyboard would start again at
 * the top of the page.
 */
export function useFocusWhen<T extends HTMLElement>(isDue: boolean): RefObject<T | null> {
  const ref = useRef<T>(null)
  useEffect(() => {
    if (isDue && document.activeElement === document.body) ref.current?.focus()
  }, [isDue])
  return ref
}
