import { useState } from 'react'
import { localStorageOrNull } from '../platform/browser-storage'
import { clearRecentSearches, recentSearches } from './recent-searches'
import { useTexts } from '../use-texts'
import s from './SearchDialog.module.css'

type Props = {
  onChoose: (query: string) => void
  /** Runs before the list disappears, and with it the button that has the focus. */
  onForget: () => void
}

/** The visitor's recent queries, from the browser's storage. */
export function RecentSearches({ onChoose, onForget }: Props) {
  const t = useTexts('search')
  const [recent, setRecent] = useState(() => recentSearches(localStorageOrNull()))
  if (recent.length === 0) return null
  const clear = (): void => {
    onForget()
    clearRecentSearches(localStorageOrNull())
    setRecent([])
  }
  return (
    <section aria-label={t('recent')}>
      <div className={s['recentHead']}>
        <p className={s['group']}>{t('recent')}</p>
        <button
          type="button"
          className={s['linkButton']}
          data-action="forget"
          data-track="search-forget"
          onClick={clear}
        >
          {t('forget')}
        </button>
      </div>
      <ul>
        {recent.map((query) => (
          <li key={query}>
            <button
              type="button"
              className={s['recent']}
              data-track="search-recent"
              onClick={() => onChoose(query)}
            >
              {query}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
