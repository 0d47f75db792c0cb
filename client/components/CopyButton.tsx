import { useEffect, type ReactNode } from 'react'
import type { TrackKey } from '../../shared/tracking-keys'
import { Icon } from './Icon'
import s from './CopyButton.module.css'

type CopyButtonProps = {
  /** Default: the code inside the closest element with `data-copy-from`. */
  text?: string
  /** Address whose text is copied instead. */
  source?: string
  label: string
  /** Key of the button when it is clicked. */
  track: TrackKey
  /** Announced to screen readers after copying. */
  copiedText: string
  className?: string | undefined
  children?: ReactNode
}

/** Copies a text. The button is visible only with script; its space is reserved. */
export function CopyButton({
  text = '',
  source,
  label,
  track,
  copiedText,
  className,
  children,
}: CopyButtonProps) {
  useEffect(() => {
    void import('./start-copy-buttons').then(({ startCopyButtons }) => startCopyButtons())
  }, [])
  return (
    <button
      type="button"
      className={`${s['copy']} ${className ?? ''}`}
      data-copy={text}
      data-copy-source={source}
      data-track={track}
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
