import type { ReactNode } from 'react'
import { EmptyTiles } from './pictures/EmptyTiles'
import s from './EmptyState.module.css'

/** What stands where there is nothing yet, or nothing any more: says so, and the way on. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={s['state']}>
      <EmptyTiles className={s['picture']} />
      <p className={s['title']}>{title}</p>
      {children}
    </div>
  )
}
