import type { Article } from '../../../shared/page-data'
import { useTexts } from '../../use-texts'
import s from './SeriesList.module.css'

/** The parts of a series in order; the current one is not a link. */
export function SeriesList({ parts }: { parts: NonNullable<Article['series']> }) {
  const t = useTexts('article')
  return (
    <nav className={s['series']} aria-labelledby="series-heading">
      <h2 id="series-heading" className={s['heading']}>
        {t('series')}
      </h2>
      <ol>
        {parts.map(({ id, title, href }) => (
          <li key={id} aria-current={href ? undefined : 'page'}>
            {href ? (
              <a data-track="article-series" href={href}>
                {title}
              </a>
            ) : (
              title
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
