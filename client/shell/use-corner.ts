import { useCallback } from 'react'
import { corner, type CornerName } from './floating-layout'

/** Ref of an element that floats in the corner: it has its place before it is painted. */
export const useCorner = (
  name: CornerName,
): ((element: HTMLElement | null) => (() => void) | undefined) =>
  useCallback(
    (element: HTMLElement | null) => (element ? corner.add(name, element) : undefined),
    [name],
  )
