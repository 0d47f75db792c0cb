import { useEffect } from 'react'
import s from './EllipsisText.module.css'

/**
 * One line of text, cut with an ellipsis when it is too long; a tooltip then shows the full text.
 * Screen readers always read the full text.
 */
export function EllipsisText({ text }: { text: string }) {
  useEffect(() => {
    void import('./start-tooltips').then(({ startTooltips }) => startTooltips())
  }, [])
  return (
    <span className={s['text']} data-ellipsis>
      {text}
    </span>
  )
}
