import type { ReactNode } from 'react'
import s from './Button.module.css'

/** A button of the console. `danger`: deletes something. */
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
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
