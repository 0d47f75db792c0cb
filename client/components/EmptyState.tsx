import type { ReactNode } from 'react'
import s from './EmptyState.module.css'

/** What stands where there is nothing yet, or nothing any more: says so, and the way on. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={s['state']}>
      <svg className={s['picture']} viewBox="0 0 160 130" aria-hidden="true">
        <path d="M6 6h72l22 22v62H6z" fill="var(--tile-1)" />
        <path d="M30 24h72l22 22v62H30z" fill="var(--tile-2)" />
        <path d="M58 42h72l22 22v62H58z" fill="none" stroke="var(--line-strong)" strokeWidth="2" strokeDasharray="6 6" />
      </svg>
      <p className={s['title']}>{title}</p>
      {children}
    </div>
  )
}
