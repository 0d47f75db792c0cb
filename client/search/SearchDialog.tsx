import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { I18nextProvider } from 'react-i18next'
import type { LocaleCode } from '../../shared/i18n/locales'
import { href } from '../../shared/routes/href'
import type { SearchResult } from '../../shared/search-result'
import type { Texts } from '../../shared/view'
import { createBrowserTranslator } from '../browser-translator'
import { useModalDialog } from '../components/use-modal-dialog'
import { localStorageOrNull } from '../platform/browser-storage'
import { browserClock } from '../platform/clock'
import { isForInputMethod } from '../platform/is-for-input-method'
import { pageFetch } from '../platform/retrying-fetch'
import { useStore } from '../platform/use-store'
import { usePage } from '../view-context'
import { RecentSearches } from './RecentSearches'
import { rememberSearch } from './recent-searches'
import s from './SearchDialog.module.css'
import { SearchField } from './SearchField'
import { SearchKeysHint } from './SearchKeysHint'
import { optionId, SearchResults, type ModifierKeys } from './SearchResults'
import {
  createSiteSearch,
  type FetchSearchResult,
  type SearchView,
  type SiteSearch,
} from './site-search'
import { useTexts } from '../use-texts'

type Props = { texts: Texts; onClose: () => void }

const fetchResultIn =
  (locale: LocaleCode): FetchSearchResult =>
  async (query, signal) => {
    const response = await pageFetch(
      `/api/site/search?${new URLSearchParams({ q: query, lang: locale })}`,
      { signal },
    )
    // The site's own server answers in this form; `data` is null when the search fails.
    const { data } = (await response.json()) as { data: SearchResult | null }
    if (!data) throw new Error('the search did not answer')
    return data
  }

/** The search dialog. No page carries its texts, so it has its own translator. */
export function SearchDialog({ texts, onClose }: Props) {
  const { locale, site } = usePage()
  const translator = useMemo(
    () => createBrowserTranslator(locale, { search: texts }, site.brand),
    [locale, texts, site.brand],
  )
  return (
    <I18nextProvider i18n={translator}>
      <SearchBox onClose={onClose} />
    </I18nextProvider>
  )
}

function useSiteSearch(locale: LocaleCode): SiteSearch {
  const search = useMemo(
    () => createSiteSearch({ fetchResult: fetchResultIn(locale), clock: browserClock }),
    [locale],
  )
  useEffect(() => () => search.stop(), [search])
  return search
}

/**
 * Selection in the list of results: the first option of each new result, then what arrow keys
 * choose. Enter follows the selected link.
 */
function useSelection({ state, result }: SearchView) {
  const [active, setActive] = useState(0)
  useEffect(() => setActive(0), [result])
  useEffect(() => {
    // The braces matter: newer browsers return a promise, which React would take for a cleanup.
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = result?.hits.length ?? 0
    if (isForInputMethod(event.nativeEvent) || count === 0) return
    const next = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      setActive((next + count) % count)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // While newer results are loading, the list still shows those of an earlier query.
      if (state === 'done') document.getElementById(optionId(active))?.click()
    }
  }
  return { active, setActive, onKeyDown }
}

/** What the dialog shows instead of results. */
function SearchMessage({
  view,
  onRetry,
  onFollow,
}: {
  view: SearchView
  onRetry: () => void
  onFollow: (keys: ModifierKeys) => void
}) {
  const t = useTexts('search')
  const { locale } = usePage()
  if (view.state === 'failed')
    return (
      <p className={s['note']} role="alert">
        {t('failed')}{' '}
        <button
          type="button"
          className={s['linkButton']}
          data-track="search-retry"
          onClick={onRetry}
        >
          {t('retry')}
        </button>
      </p>
    )
  if (view.state !== 'done' || view.result?.hits.length !== 0) return null
  return (
    <div className={s['note']}>
      <p className={s['title']}>{t('empty', { query: view.query.trim() })}</p>
      <p>
        <a data-track="search-links" href={href(locale, 'links')} onClick={onFollow}>
          {t('emptyText')}
        </a>
      </p>
    </div>
  )
}

/** The dialog's foot; screen readers announce the number of results. */
function SearchFoot({ view }: { view: SearchView }) {
  const t = useTexts('search')
  const { state, query, result } = view
  const count =
    state === 'done' && result && result.hits.length > 0 ? t('count', { count: result.total }) : ''
  const isEmpty = state === 'done' && result?.hits.length === 0
  return (
    <>
      <p className="sr-only" role="status">
        {isEmpty ? t('empty', { query: query.trim() }) : count}
      </p>
      <SearchKeysHint count={count} />
    </>
  )
}

/**
 * The dialog stays open for a link that opens in a new tab or window. Otherwise it closes after the
 * click has been handled: a link that is no longer in the page does not navigate.
 */
function closeAfterFollowing(keys: ModifierKeys, onClose: () => void): void {
  if (!keys.metaKey && !keys.ctrlKey && !keys.shiftKey) window.setTimeout(onClose)
}

/** ARIA combobox with a list box: the focus stays in the field, arrow keys select, Enter opens. */
function SearchBox({ onClose }: Pick<Props, 'onClose'>) {
  const t = useTexts('search')
  const { locale } = usePage()
  const dialogRef = useModalDialog()
  const inputRef = useRef<HTMLInputElement>(null)
  const listId = useId()
  const search = useSiteSearch(locale)
  const view = useStore(search.view)
  const { active, setActive, onKeyDown } = useSelection(view)
  const hits = view.result?.hits ?? []
  useEffect(() => inputRef.current?.focus(), [])

  const onFollow = (keys: ModifierKeys): void => closeAfterFollowing(keys, onClose)
  const onFollowResult = (keys: ModifierKeys): void => {
    rememberSearch(view.query, localStorageOrNull())
    onFollow(keys)
  }
  // Takes the focus from a button that is about to disappear.
  const focusField = (): void => inputRef.current?.focus()
  const chooseRecent = (query: string): void => {
    search.setQuery(query)
    focusField()
  }
  const retry = (): void => {
    search.retry()
    focusField()
  }
  return (
    <dialog
      ref={dialogRef}
      className={s['dialog']}
      data-shell="search"
      aria-label={t('label')}
      onClose={onClose}
    >
      <SearchField
        inputRef={inputRef}
        query={view.query}
        listId={hits.length > 0 ? listId : undefined}
        activeOptionId={active < hits.length ? optionId(active) : undefined}
        onChange={search.setQuery}
        onKeyDown={onKeyDown}
        onClose={onClose}
      />
      <div className={s['body']} aria-busy={view.state === 'loading'}>
        {view.state === 'idle' && <RecentSearches onChoose={chooseRecent} onForget={focusField} />}
        <SearchMessage view={view} onRetry={retry} onFollow={onFollow} />
        {hits.length > 0 && view.state !== 'failed' && (
          <SearchResults
            id={listId}
            hits={hits}
            active={active}
            onHover={setActive}
            onFollow={onFollowResult}
          />
        )}
      </div>
      <SearchFoot view={view} />
    </dialog>
  )
}
