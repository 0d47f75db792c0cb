import { useEffect, type ReactNode } from 'react'
import { Icon } from './Icon'
import s from './CopyButton.module.css'

type CopyButtonProps = {
  /** Default: the code inside the closest element with `data-copy-from`. */
  text?: string
  label: string
  /** Announced to screen readers after copying. */
  copiedText: string
  className?: string | undefined
  children?: ReactNode
}

/** Copies a text. The button is visible only with script; its space is reserved. */
export function CopyButton({ text = '', label, copiedText, className, children }: CopyButtonProps) {
  useEffect(() => {
    void import('./start-copy-buttons').then(({ startCopyButtons }) => startCopyButtons())
  }, [])
  return (
    <button
      type="button"
      className={`${s['copy']} ${className ?? ''}`}
      data-copy={text}
      data-copied-text={copiedText}
      aria-label={children ? undefined : label}
      title={children ? undefined : label}
    >
      <Icon name="copy" size={18} className={s['ready']} />
      <Icon name="check" size={18} className={s['done']} />
      {children}
    </button>
  )
}
