import { useCallback, useRef, useState, type MouseEvent, type RefObject } from 'react'
import { browserClock } from '../platform/clock'

/** Time for the pointer to cross the gap between the button and its popup. */
const hoverGraceMs = 200

type SetOpen = (isOpen: boolean) => void

/** Opens when a mouse enters, closes some time after it has left. Returns the function to stop. */
function followMouse(root: HTMLElement, setOpen: SetOpen): () => void {
  let cancelClosing = (): void => undefined
  const onEnter = (event: PointerEvent): void => {
    cancelClosing()
    if (event.pointerType === 'mouse') setOpen(true)
  }
  const onLeave = (event: PointerEvent): void => {
    if (event.pointerType === 'mouse')
      cancelClosing = browserClock.after(hoverGraceMs, () => setOpen(false))
  }
  root.addEventListener('pointerenter', onEnter)
  root.addEventListener('pointerleave', onLeave)
  return () => {
    cancelClosing()
    root.removeEventListener('pointerenter', onEnter)
    root.removeEventListener('pointerleave', onLeave)
  }
}

/** Closes on Escape, on a click outside and when the focus leaves. Returns the function to stop. */
function closeFromOutside(
  root: HTMLElement,
  button: RefObject<HTMLElement | null>,
  setOpen: SetOpen,
): () => void {
  const onFocusOut = (event: FocusEvent): void => {
    if (event.relatedTarget instanceof Node && !root.contains(event.relatedTarget)) setOpen(false)
  }
  const onClick = (event: Event): void => {
    if (event.target instanceof Node && !root.contains(event.target)) setOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    if (root.contains(document.activeElement)) button.current?.focus()
    setOpen(false)
  }
  root.addEventListener('focusout', onFocusOut)
  document.addEventListener('click', onClick)
  document.addEventListener('keydown', onKeyDown)
  return () => {
    root.removeEventListener('focusout', onFocusOut)
    document.removeEventListener('click', onClick)
    document.removeEventListener('keydown', onKeyDown)
  }
}

type HoverPopup = {
  isOpen: boolean
  /** Ref of the element that contains the button and the popup. */
  rootRef: (element: HTMLElement | null) => (() => void) | undefined
  buttonRef: RefObject<HTMLButtonElement | null>
  onButtonClick: (event: MouseEvent) => void
}

/** State of a popup that a mouse opens by hovering, and a tap or the keyboard by a click. */
export function useHoverPopup(): HoverPopup {
  const [isOpen, setOpen] = useState(false)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const rootRef = useCallback((root: HTMLElement | null) => {
    if (!root) return undefined
    const stops = [followMouse(root, setOpen), closeFromOutside(root, buttonRef, setOpen)]
    return () => stops.forEach((stop) => stop())
  }, [])
  const onButtonClick = ({ nativeEvent }: MouseEvent): void => {
    // The mouse has opened the popup by hovering; its click must not close it again.
    const byMouse = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'mouse'
    setOpen((wasOpen) => byMouse || !wasOpen)
  }
  return { isOpen, rootRef, buttonRef, onButtonClick }
}
