import type { Article } from '../../../shared/page-data'
import { usePage } from '../../view-context'
import { LocalDate } from '../LocalDate'
import { useTexts } from '../../use-texts'
import s from './ArticleMeta.module.css'

/** Dates, version, author and reading time of an article. */
export function ArticleMeta({ article }: { article: Article }) {
  const t = useTexts('article')
  const { locale } = usePage()
  const { date, updated, since, author, minutes } = article
  return (
    <p className={s['meta']}>
      {date && (
        <span>
          <LocalDate day={date} locale={locale} text={(text) => t('published', { date: text })} />
        </span>
      )}
      {updated && updated !== date && (
        <span>
          <LocalDate day={updated} locale={locale} text={(text) => t('updated', { date: text })} />
        </span>
      )}
      {since && <span>{t('since', { version: since })}</span>}
      {author && <span>{t('by', { author })}</span>}
      {minutes > 0 && <span>{t('minutes', { minutes })}</span>}
    </p>
  )
}
