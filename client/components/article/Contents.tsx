import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import type { Heading } from '../../../shared/page-data'
import s from './Contents.module.css'

/** Contents of a text: its headings of two levels. The one being read is marked, by script that comes later. */
export function Contents({
  headings,
  lang,
}: {
  headings: readonly Heading[]
  lang: string | undefined
}) {
  const { t } = useTranslation('article')
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let gone = false
    void import('./follow-headings').then(({ followHeadings }) => {
      if (list.current && !gone) stop = followHeadings(list.current)
    })
    return () => {
      gone = true
      stop?.()
    }
  }, [headings])
  return (
    <nav className={s['contents']} aria-labelledby="contents-title">
      <p className={s['title']} id="contents-title">
        {t('contents')}
      </p>
      <ol lang={lang} ref={list}>
        {headings
          .filter((heading) => heading.depth <= 3)
          .map((heading) => (
            <li key={heading.id} className={heading.depth > 2 ? s['deeper'] : undefined}>
              <a className="short" href={`#${heading.id}`}>
                {glueWords(heading.text)}
              </a>
            </li>
          ))}
      </ol>
    </nav>
  )
}
