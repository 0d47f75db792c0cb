import type { Article } from '../../../shared/page-data'
import { useTexts } from '../../use-texts'
import s from './ArticleMeta.module.css'

/** Dates, version, author and reading time of an article. */
export function ArticleMeta({ article }: { article: Article }) {
  const t = useTexts('article')
  const { date, updated, since, author, minutes } = article
  return (
    <p className={s['meta']}>
      {date && (
        <span>
          <time dateTime={date.day}>{t('published', { date: date.text })}</time>
        </span>
      )}
      {updated && updated.day !== date?.day && (
        <span>
          <time dateTime={updated.day}>{t('updated', { date: updated.text })}</time>
        </span>
      )}
      {since && <span>{t('since', { version: since })}</span>}
      {author && <span>{t('by', { author })}</span>}
      {minutes > 0 && <span>{t('minutes', { minutes })}</span>}
    </p>
  )
}
