import type { ReactNode } from 'react'
import s from './Section.module.css'

type SectionProps = {
  id: string
  title: string
  text?: string | undefined
  tinted?: boolean
  /** Heading beside the content where there is room. */ split?: boolean
  more?: { href: string; text: string } | undefined
  children: ReactNode
}

/** A part of a page: heading, an optional sentence, an optional link to all of it, and its content. */
export function Section({
  id,
  title,
  text,
  tinted = false,
  split = false,
  more,
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
          {more && (
            <p className={s['more']}>
              <a href={more.href}>{more.text}</a>
            </p>
          )}
        </div>
      </div>
    </section>
  )
}
