import { useEffect } from 'react'
import s from './EllipsisText.module.css'

/** One line that is cut where it has no room; then a tooltip shows all of it. Readers of screens always get all. */
export function EllipsisText({
  text,
  className,
}: {
  text: string
  className?: string | undefined
}) {
  useEffect(() => {
    void import('./article/start-tooltips').then(({ startTooltips }) => startTooltips())
  }, [])
  return (
    <span className={`${s['text']} ${className ?? ''}`} data-ellipsis>
      {text}
    </span>
  )
}
