import { useEffect, useRef } from 'react'
import type { Heading } from '../../../shared/page-data'
import { useTexts } from '../../use-texts'
import s from './TableOfContents.module.css'

/** Headings of two levels. A script that is loaded after hydration marks the current one. */
export function TableOfContents({
  headings,
  lang,
}: {
  headings: readonly Heading[]
  lang: string | undefined
}) {
  const t = useTexts('article')
  const listRef = useRef<HTMLOListElement>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let canceled = false
    void import('./scroll-spy').then(({ startScrollSpy }) => {
      if (listRef.current && !canceled) stop = startScrollSpy(listRef.current)
    })
    return () => {
      canceled = true
      stop?.()
    }
  }, [headings])
  return (
    <nav className={s['contents']} aria-labelledby="contents-title">
      <p className={s['title']} id="contents-title">
        {t('contents')}
      </p>
      <ol lang={lang} ref={listRef}>
        {headings
          .filter((heading) => heading.depth <= 3)
          .map((heading) => (
            <li key={heading.id} className={heading.depth > 2 ? s['nested'] : undefined}>
              <a className="short" data-track="article-contents" href={`#${heading.id}`}>
                {heading.text}
              </a>
            </li>
          ))}
      </ol>
    </nav>
  )
}
