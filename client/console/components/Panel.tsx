import { useId, type ReactNode, type RefObject } from 'react'
import s from './Panel.module.css'

/** A part of a view with its heading, an explanation, and actions beside the heading. */
export function Panel({
  title,
  about,
  actions,
  heading,
  children,
}: {
  title: string
  about?: string | undefined
  actions?: ReactNode
  /** Where the focus goes when a control of the panel is gone. */
  heading?: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={s['panel']} aria-labelledby={id}>
      <div className={s['head']}>
        <h2 id={id} className={s['title']} ref={heading} tabIndex={heading && -1}>
          {title}
        </h2>
        {actions}
      </div>
      {about && <p className={s['about']}>{about}</p>}
      {children}
    </section>
  )
}
