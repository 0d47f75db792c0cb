import type { ReactNode } from 'react'
import { EmptyIllustration } from './pictures/EmptyIllustration'
import s from './ErrorState.module.css'

/** The content of an error page: its only h1, the reason, and in `children` where to go instead. */
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
      <EmptyIllustration className={s['illustration']} />
      <h1>{title}</h1>
      {message && <p className={s['message']}>{message}</p>}
      {children}
    </div>
  )
}
