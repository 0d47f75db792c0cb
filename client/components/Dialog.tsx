import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from './Icon'
import s from './Dialog.module.css'

/** A native dialog: focus stays inside, Escape and a click beside it close it, focus returns where it was. */
export function Dialog({
  title,
  close,
  onClose,
  children,
}: {
  title: string
  close: string
  onClose: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!element) return undefined
    const before = document.activeElement
    element.showModal()
    const onClick = (event: MouseEvent): void => {
      if (event.target === element) element.close()
    }
    element.addEventListener('click', onClick)
    return () => {
      element.removeEventListener('click', onClick)
      element.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} className={s['dialog']} aria-labelledby="dialog-title" onClose={onClose}>
      <div className={s['head']}>
        <h2 id="dialog-title" className={s['title']}>
          {title}
        </h2>
        <button
          type="button"
          className={s['close']}
          aria-label={close}
          data-action="close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className={s['body']}>{children}</div>
    </dialog>
  )
}
