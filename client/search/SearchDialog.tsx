import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { I18nextProvider, useTranslation } from 'react-i18next'
import { search as limits } from '../../shared/constants'
import { translatorFor } from '../../shared/i18n/translate'
import type { LocaleCode } from '../../shared/i18n/locales'
import { href } from '../../shared/routes/href'
import type { SearchResult } from '../../shared/search-result'
import type { Texts } from '../../shared/view'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import { browserStorage } from '../platform/browser-storage'
import { browserClock } from '../platform/clock'
import { rememberSearch } from './recent-searches'
import { createSiteSearch, type AskSearch } from './site-search'
import { RecentSearches } from './RecentSearches'
import s from './SearchDialog.module.css'
import { SearchKeysHint } from './SearchKeysHint'
import { grouped, optionId, SearchResults } from './SearchResults'
import { useStore } from '../platform/use-store'

type Props = { texts: Texts; onClose: () => void }

const askIn =
  (locale: LocaleCode): AskSearch =>
  async (query, signal) => {
    const response = await fetch(
      `/api/site/search?${new URLSearchParams({ q: query, lang: locale })}`,
      { signal },
    )
    const { data } = (await response.json()) as { data: SearchResult | null }
    if (!data) throw new Error('the search did not answer')
    return data
  }

/** The search, with texts of its own that no page carries. */
export function SearchDialog({ texts, onClose }: Props) {
  const { locale, site } = usePage()
  const translator = useMemo(
    () => translatorFor(locale, { search: texts }, site.brand),
    [locale, texts, site.brand],
  )
  return (
    <I18nextProvider i18n={translator}>
      <SearchBox onClose={onClose} />
    </I18nextProvider>
  )
}

/** Combobox over a list box (ARIA practices): the focus stays in the field, arrows choose, Enter opens. */
function SearchBox({ onClose }: Pick<Props, 'onClose'>) {
  const { t } = useTranslation('search')
  const { locale } = usePage()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const listId = useId()
  const search = useMemo(
    () => createSiteSearch({ ask: askIn(locale), clock: browserClock }),
    [locale],
  )
  const { query, state, result } = useStore(search.view)
  const [active, setActive] = useState(0)
  const hits = result?.hits ?? []
  const count = hits.length

  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    field.current?.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => () => search.stop(), [search])
  useEffect(() => setActive(0), [result])
  useEffect(() => {
    // In braces: newer browsers answer with a promise, which React would call as the end of the effect.
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const type = (text: string): void => search.type(text)
  /** A link that opens beside the page leaves the search open. */
  const follow = ({
    metaKey,
    ctrlKey,
    shiftKey,
  }: {
    metaKey: boolean
    ctrlKey: boolean
    shiftKey: boolean
  }): void => {
    rememberSearch(query, browserStorage())
    // Later: a link that has left the page when its click has been handled leads nowhere.
    if (!metaKey && !ctrlKey && !shiftKey) window.setTimeout(onClose)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || count === 0) return
    const move = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (move !== undefined) {
      event.preventDefault()
      setActive((move + count) % count)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // Results of an earlier text are not what Enter means.
      if (state === 'done') document.getElementById(optionId(active))?.click()
    }
  }
  const first = grouped(hits).flatMap((group) => group.hits)[active]
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a click beside the dialog; keys have Escape
    <dialog
      ref={dialog}
      className={s['dialog']}
      data-shell="search"
      aria-label={t('label')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className={s['bar']}>
        <Icon name="search" size={22} className={s['sign']} />
        <input
          ref={field}
          className={s['field']}
          type="text"
          inputMode="search"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={limits.queryLength}
          role="combobox"
          aria-label={t('label')}
          aria-autocomplete="list"
          aria-expanded={count > 0}
          aria-controls={count > 0 ? listId : undefined}
          aria-activedescendant={first ? optionId(active) : undefined}
          placeholder={t('placeholder')}
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKey}
        />
        <button
          type="button"
          className={s['close']}
          data-action="close"
          aria-label={t('close')}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <div className={s['body']} aria-busy={state === 'loading'}>
        {state === 'idle' && (
          <RecentSearches
            onChoose={(text) => {
              type(text)
              field.current?.focus()
            }}
          />
        )}
        {state === 'failed' && (
          <p className={s['note']} role="alert">
            {t('failed')}{' '}
            <button type="button" className={s['plain']} onClick={() => search.retry()}>
              {t('retry')}
            </button>
          </p>
        )}
        {state === 'done' && count === 0 && (
          <div className={s['note']}>
            <p className={s['title']}>{t('empty', { query: query.trim() })}</p>
            <p>
              <a href={href(locale, 'links')}>{t('emptyText')}</a>
            </p>
          </div>
        )}
        {count > 0 && state !== 'failed' && (
          <SearchResults
            id={listId}
            hits={hits}
            active={active}
            onPoint={setActive}
            onFollow={follow}
          />
        )}
      </div>
      <p className="sr-only" role="status">
        {state === 'done' && result
          ? count === 0
            ? t('empty', { query: query.trim() })
            : t('count', { count: result.total })
          : ''}
      </p>
      <SearchKeysHint
        count={state === 'done' && result && count > 0 ? t('count', { count: result.total }) : ''}
      />
    </dialog>
  )
}
