import type { ReactNode } from 'react'
import type { TrackKey } from '../../shared/tracking-keys'
import s from './Section.module.css'

type SectionProps = {
  id: string
  title: string
  text?: string | undefined
  tinted?: boolean
  /** Places the heading beside the content on wide screens. */
  split?: boolean
  /** Link below the content, for example to the complete list. */
  moreLink?: { href: string; text: string; track: TrackKey } | undefined
  children: ReactNode
}

export function Section({
  id,
  title,
  text,
  tinted = false,
  split = false,
  moreLink,
  children,
}: SectionProps) {
  return (
    <section
      className={tinted ? `${s['section']} ${s['tinted']}` : s['section']}
      aria-labelledby={`${id}-heading`}
    >
      <div className={split ? `wrap ${s['split']}` : 'wrap'}>
        <div className={s['head']}>
          <h2 id={`${id}-heading`}>{title}</h2>
          {text && <p className={s['text']}>{text}</p>}
        </div>
        <div className={s['content']}>
          {children}
          {moreLink && (
            <p className={s['more']}>
              <a data-track={moreLink.track} href={moreLink.href}>
                {moreLink.text}
              </a>
            </p>
          )}
        </div>
      </div>
    </section>
  )
}
