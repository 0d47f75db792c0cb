import type { MouseEvent, ReactNode } from 'react'
import s from './ButtonLink.module.css'

type Look = 'main' | 'plain' | 'quiet'
type ButtonLinkProps = {
  href: string
  look?: Look
  action?: 'register' | 'login' | 'download'
  system?: string
  label?: string
  /** The visitor's own system. */ detected?: boolean
  /** Takes the place of following the link. */ onUse?: () => void
  children: ReactNode
}

/** A link that looks like a button. `main` is the one call of a page. */
export function ButtonLink({
  href,
  look = 'plain',
  action,
  system,
  label,
  detected = false,
  onUse,
  children,
}: ButtonLinkProps) {
  const use =
    onUse &&
    ((event: MouseEvent): void => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      onUse()
    })
  return (
    <a
      className={`${s['button']} ${s[look]}`}
      href={href}
      data-action={action}
      data-system={system}
      data-detected={detected ? '' : undefined}
      aria-label={label}
      onClick={use}
    >
      {children}
    </a>
  )
}

/** Buttons in a row that wraps. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={s['actions']}>{children}</div>
}
