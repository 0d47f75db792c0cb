import { useEffect, useRef, type RefObject } from 'react'

/**
 * Shows a native dialog as a modal while its component is mounted. A click that starts and ends on
 * the backdrop closes it. Afterwards the focus returns to the element that had it before.
 */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialogRef = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = dialogRef.current
    if (!dialog) return undefined
    const focusedBefore = document.activeElement
    dialog.showModal()
    // Where a selection starts in a field and ends over the backdrop, the click's target is the
    // dialog too; closing would lose the text of the field.
    let isPressOnBackdrop = false
    const onPointerDown = (event: PointerEvent): void => {
      isPressOnBackdrop = event.target === dialog
    }
    const onClick = (event: MouseEvent): void => {
      if (isPressOnBackdrop && event.target === dialog) dialog.close()
    }
    dialog.addEventListener('pointerdown', onPointerDown)
    dialog.addEventListener('click', onClick)
    return () => {
      dialog.removeEventListener('pointerdown', onPointerDown)
      dialog.removeEventListener('click', onClick)
      dialog.close()
      if (focusedBefore instanceof HTMLElement) focusedBefore.focus({ preventScroll: true })
    }
  }, [])
  return dialogRef
}
