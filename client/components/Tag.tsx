import type { TrackKey } from '../../shared/tracking-keys'
import s from './Tag.module.css'

/** A short label; a link when there is a list of its entries. */
export function Tag({
  text,
  href,
  track,
  current = false,
}: {
  text: string
  href?: string | undefined
  /** Key of the link when it is clicked. */
  track: TrackKey
  current?: boolean
}) {
  if (!href) return <span className={s['tag']}>{text}</span>
  return (
    <a
      className={s['tag']}
      data-track={track}
      href={href}
      aria-current={current ? 'true' : undefined}
    >
      {text}
    </a>
  )
}
