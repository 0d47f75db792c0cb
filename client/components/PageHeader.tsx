import type { ReactNode } from 'react'
import { Breadcrumb, type Crumb } from './Breadcrumb'
import s from './PageHeader.module.css'

/** Top of an ordinary page: breadcrumb, the only h1, an introduction, and `children` below. */
export function PageHeader({
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
