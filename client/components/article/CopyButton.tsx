import { useEffect, type ReactNode } from 'react'
import { Icon } from '../Icon'
import s from './CopyButton.module.css'

type CopyButtonProps = {
  /** Without it, the code that stands in the same `data-copy-from` is copied. */ text?: string
  label: string
  copied: string
  className?: string | undefined
  children?: ReactNode
}

/** Copies a text and says so. It shows once the page takes input, in a place that is kept for it. */
export function CopyButton({ text = '', label, copied, className, children }: CopyButtonProps) {
  useEffect(() => {
    void import('./start-copying').then(({ startCopying }) => startCopying())
  }, [])
  return (
    <button
      type="button"
      className={`${s['copy']} ${className ?? ''}`}
      data-copy={text}
      data-copied-text={copied}
      aria-label={children ? undefined : label}
      title={children ? undefined : label}
    >
      <Icon name="copy" size={18} className={s['ready']} />
      <Icon name="check" size={18} className={s['done']} />
      {children}
    </button>
  )
}
