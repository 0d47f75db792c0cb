import type { ReactNode } from 'react'
import s from './Dialog.module.css'
import { Icon } from './Icon'
import { useModalDialog } from './use-modal-dialog'

/** A modal dialog with a title and a close button labeled `close`. */
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
  const dialogRef = useModalDialog()
  return (
    <dialog
      ref={dialogRef}
      className={s['dialog']}
      aria-labelledby="dialog-title"
      onClose={onClose}
    >
      <div className={s['head']}>
        <h2 id="dialog-title" className={s['title']}>
          {title}
        </h2>
        <button
          type="button"
          className={s['close']}
          aria-label={close}
          data-action="close"
          data-track="page-dialog-close"
          onClick={() => dialogRef.current?.close()}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className={s['body']}>{children}</div>
    </dialog>
  )
}
