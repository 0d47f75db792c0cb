import type { ReactNode } from 'react'
import { EmptyIllustration } from './pictures/EmptyIllustration'
import s from './EmptyState.module.css'

/** Shown instead of an empty list; `children` say where to go instead. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={s['state']}>
      <EmptyIllustration className={s['illustration']} />
      <p className={s['title']}>{title}</p>
      {children}
    </div>
  )
}
