import type { ReactNode } from 'react'
import s from './ErrorState.module.css'

/** What could not be shown, why, and where to go instead. The page's one heading. */
export function ErrorState({ title, message, children }: { title: string; message?: string; children?: ReactNode }) {
  return (
    <div className={s['state']}>
      <svg className={s['picture']} viewBox="0 0 160 130" aria-hidden="true">
        <path d="M6 6h72l22 22v62H6z" fill="var(--tile-1)" />
        <path d="M30 24h72l22 22v62H30z" fill="var(--tile-2)" />
        <path d="M58 42h72l22 22v62H58z" fill="none" stroke="var(--line-strong)" strokeWidth="2" strokeDasharray="6 6" />
      </svg>
      <h1>{title}</h1>
      {message && <p className={s['message']}>{message}</p>}
      {children}
    </div>
  )
}
