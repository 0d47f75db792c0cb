import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { browserStorage } from '../platform/browser-storage'
import { forgetSearches, recentSearches } from './recent-searches'
import s from './SearchDialog.module.css'

/** What the visitor looked for lately, from the browser's own memory. */
export function RecentSearches({ onChoose }: { onChoose: (query: string) => void }) {
  const { t } = useTranslation('search')
  const [recent, setRecent] = useState(() => recentSearches(browserStorage()))
  if (recent.length === 0) return null
  const forget = (): void => {
    forgetSearches(browserStorage())
    setRecent([])
  }
  return (
    <section aria-label={t('recent')}>
      <div className={s['recentHead']}>
        <p className={s['group']}>{t('recent')}</p>
        <button type="button" className={s['plain']} data-action="forget" onClick={forget}>
          {t('forget')}
        </button>
      </div>
      <ul>
        {recent.map((query) => (
          <li key={query}>
            <button type="button" className={s['recent']} onClick={() => onChoose(query)}>
              {query}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
