import { useTranslation } from 'react-i18next'
import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import type { Article } from '../../../shared/page-data'
import s from './SeriesList.module.css'

/** The parts of a series in their order; the one that is being read is named and not linked. */
export function SeriesList({ parts }: { parts: NonNullable<Article['series']> }) {
  const { t } = useTranslation('article')
  return (
    <nav className={s['series']} aria-labelledby="series-heading">
      <h2 id="series-heading" className={s['heading']}>
        {t('series')}
      </h2>
      <ol>
        {parts.map(({ id, title, href }) => (
          <li key={id} aria-current={href ? undefined : 'page'}>
            {href ? <a href={href}>{glueWords(title)}</a> : glueWords(title)}
          </li>
        ))}
      </ol>
    </nav>
  )
}
