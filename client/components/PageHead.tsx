import type { ReactNode } from 'react'
import { Breadcrumb, type Crumb } from './Breadcrumb'
import s from './PageHead.module.css'

/** Head of an ordinary page: where it is, the one h1, a sentence, and what may stand below. */
export function PageHead({
  title,
  lead,
  crumbs = [],
  children,
}: {
  title: string
  lead?: string
  crumbs?: readonly Crumb[]
  children?: ReactNode
}) {
  return (
    <div className={s['head']}>
      <div className="wrap">
        <Breadcrumb crumbs={crumbs} current={title} />
        <h1>{title}</h1>
        {lead && <p className={s['lead']}>{lead}</p>}
        {children}
      </div>
    </div>
  )
}
