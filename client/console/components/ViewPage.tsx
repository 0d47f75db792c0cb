import { useEffect, type ReactNode } from 'react'
import s from './ViewPage.module.css'

/** A view: its heading, which is also the title of the page, and its content. */
export function ViewPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} | Console`
  }, [title])
  return (
    <div className={s['view']}>
      <h1 className={s['title']}>{title}</h1>
      {children}
    </div>
  )
}
