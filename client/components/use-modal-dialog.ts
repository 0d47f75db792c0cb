import { useEffect, useRef, type RefObject } from 'react'

/**
 * Shows a native dialog as a modal while its component is mounted. A click on the backdrop closes
 * it. Afterwards the focus returns to the element that had it before.
 */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = dialogRef.current
    if (!dialog) return undefined
    const focusedBefore = document.activeElement
    dialog.showModal()
    const onClick = (event: MouseEvent): void => {
      if (event.target === dialog) dialog.close()
    }
    dialog.addEventListener('click', onClick)
    return () => {
      dialog.removeEventListener('click', onClick)
      dialog.close()
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
    }
  }, [])
  return dialogRef
}
