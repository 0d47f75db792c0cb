import { useCallback } from 'react'
import { floatingLayout, type FloatingName } from './floating-layout'

/** Ref callback of a floating element; the element is positioned before the browser paints it. */
export const useFloating = (
  name: FloatingName,
): ((element: HTMLElement | null) => (() => void) | undefined) =>
  useCallback(
    (element: HTMLElement | null) => (element ? floatingLayout.add(name, element) : undefined),
    [name],
  )
