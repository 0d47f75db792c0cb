import type { Article } from '../../../shared/page-data'
import { locales } from '../../../shared/i18n/locales'
import { usePage } from '../../view-context'
import s from './FallbackNotice.module.css'
import { Icon } from '../Icon'
import { useTexts } from '../../use-texts'

/** Says that the original has changed since it was translated, and links to it. */
export function OutdatedNotice({
  outdated: { source, changed },
}: {
  outdated: NonNullable<Article['outdated']>
}) {
  const t = useTexts('docs')
  const { languages } = usePage()
  const original = languages.find(({ code }) => code === source)
  return (
    <p className={s['notice']} data-shell="outdated-notice">
      <Icon name="warning" size={20} />
      <span>
        <time dateTime={changed.day}>{t('outdated', { date: changed.text })}</time>{' '}
        {original && (
          <a
            data-track="article-original"
            href={original.href}
            hrefLang={locales[original.code].language}
          >
            {t('original')}
          </a>
        )}
      </span>
    </p>
  )
}
