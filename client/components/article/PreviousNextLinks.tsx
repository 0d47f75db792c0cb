import type { Card } from '../../../shared/page-data'
import { TitleWithLanguage } from '../TitleWithLanguage'
import { Icon } from '../Icon'
import { useTexts } from '../../use-texts'
import s from './PreviousNextLinks.module.css'

/** Links to the previous and the next article. */
export function PreviousNextLinks({
  previous,
  next,
}: {
  previous: Card | null
  next: Card | null
}) {
  const t = useTexts('article')
  if (!previous && !next) return null
  return (
    <nav className={s['links']} aria-label={t('neighbors')}>
      {previous && (
        <a data-track="article-previous" href={previous.href} rel="prev">
          <span className={s['label']}>
            <Icon name="arrow-left" size={18} />
            {t('previous')}
          </span>
          <span className={`short ${s['title']}`}>
            <TitleWithLanguage text={previous.title} foreign={previous.foreign} />
          </span>
        </a>
      )}
      {next && (
        <a className={s['next']} data-track="article-next" href={next.href} rel="next">
          <span className={s['label']}>
            {t('next')}
            <Icon name="arrow-right" size={18} />
          </span>
          <span className={`short ${s['title']}`}>
            <TitleWithLanguage text={next.title} foreign={next.foreign} />
          </span>
        </a>
      )}
    </nav>
  )
}
