import type { ReactNode } from 'react'
import s from './Button.module.css'

/**
 * A button of the console. `danger`: deletes something. While it is disabled it ignores clicks and
 * keeps the focus, which the attribute `disabled` would take from it.
 */
export function Button({
  children,
  onClick,
  kind = 'plain',
  type = 'button',
  disabled = false,
}: {
  children: ReactNode
  onClick?: () => void
  kind?: 'plain' | 'main' | 'danger'
  type?: 'button' | 'submit'
  disabled?: boolean
}) {
  return (
    <button
      type={type}
      className={`${s['button']} ${s[kind]}`}
      aria-disabled={disabled}
      onClick={(event) => {
        // `aria-disabled` alone does not keep the browser from submitting a form.
        if (disabled) event.preventDefault()
        else onClick?.()
      }}
    >
      {children}
    </button>
  )
}

/** A link that saves a file, as large as a button. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={`${s['button']} ${s['link']}`} href={href} download>
      {children}
    </a>
  )
}

/** Buttons and links side by side. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={s['row']}>{children}</div>
}
