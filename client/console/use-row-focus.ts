import { useEffect, useRef, type RefObject } from 'react'

/**
 * Keeps the place of the keyboard when the row of the focused button goes away: the button of the
 * next row gets the focus, else that of the row before, else the heading. `leaveRow` is called
 * before the row goes, `rows` are the new ones.
 */
export function useRowFocus(rows: unknown): {
  table: RefObject<HTMLDivElement | null>
  heading: RefObject<HTMLHeadingElement | null>
  leaveRow: () => void
} {
  const table = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const index = useRef(-1)
  const buttons = (): HTMLElement[] => [
    ...(table.current?.querySelectorAll<HTMLElement>('tbody button') ?? []),
  ]
  useEffect(() => {
    if (index.current === -1) return
    const next = buttons()
    const target = next[index.current] ?? next.at(-1) ?? heading.current
    target?.focus()
    index.current = -1
  }, [rows])
  const leaveRow = (): void => {
    index.current = buttons().findIndex((button) => button === document.activeElement)
  }
  return { table, heading, leaveRow }
}
