import type { ReactNode } from 'react'
import { EmptyTiles } from './pictures/EmptyTiles'
import s from './ErrorState.module.css'

/** What could not be shown, why, and where to go instead. The page's one heading. */
export function ErrorState({
  title,
  message,
  children,
}: {
  title: string
  message?: string
  children?: ReactNode
}) {
  return (
    <div className={s['state']}>
      <EmptyTiles className={s['picture']} />
      <h1>{title}</h1>
      {message && <p className={s['message']}>{message}</p>}
      {children}
    </div>
  )
}
