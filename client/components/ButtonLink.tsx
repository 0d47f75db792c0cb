import type { ReactNode } from 'react'
import s from './ButtonLink.module.css'

type Look = 'main' | 'plain' | 'quiet'
type ButtonLinkProps = { href: string; look?: Look; action?: 'register' | 'login' | 'download'; system?: string; label?: string; children: ReactNode }

/** A link that looks like a button. `main` is the one call of a page. */
export function ButtonLink({ href, look = 'plain', action, system, label, children }: ButtonLinkProps) {
  return (
    <a className={`${s['button']} ${s[look]}`} href={href} data-action={action} data-system={system} aria-label={label}>
      {children}
    </a>
  )
}

/** Buttons in a row that wraps. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={s['actions']}>{children}</div>
}
