import type { MouseEvent, ReactNode } from 'react'
import type { CallKey, TrackKey } from '../../shared/tracking-keys'
import s from './ButtonLink.module.css'

type Variant = 'primary' | 'outline' | 'secondary'
/**
 * A call to action is reported when it is clicked and, unless `exposed` is false, when it is seen.
 */
type ButtonKey = { track: CallKey } | { track: TrackKey; exposed: false }
type ButtonLinkProps = ButtonKey & {
  href: string
  variant?: Variant
  action?: 'register' | 'login' | 'download' | 'back'
  system?: string
  label?: string
  /** Marks the download for the visitor's own system. */
  detected?: boolean
  /** Runs instead of following the link, except for clicks that open a new tab or window. */
  onFollow?: () => void
  children: ReactNode
}

/** A link that looks like a button. `primary` is for the one call to action of a page. */
export function ButtonLink({
  href,
  variant = 'outline',
  action,
  system,
  label,
  detected = false,
  onFollow,
  children,
  ...key
}: ButtonLinkProps) {
  const onClick =
    onFollow &&
    ((event: MouseEvent): void => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      onFollow()
    })
  return (
    <a
      className={`${s['button']} ${s[variant]}`}
      data-track={key.track}
      href={href}
      data-action={action}
      data-expose={'exposed' in key ? undefined : key.track}
      data-system={system}
      data-detected={detected ? '' : undefined}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </a>
  )
}

/** Buttons in a row that wraps. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={s['actions']}>{children}</div>
}
