import { useEffect, useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import type { Texts } from '../../shared/view'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import { localStorageOrNull } from '../platform/browser-storage'
import { startSearchKeys } from './search-keys'
import { fetchTexts } from '../platform/fetch-texts'
import { searchOpen } from './search-open'
import s from '../components/HeaderButton.module.css'
import { useStore } from '../platform/use-store'

type LoadedSearch = { Dialog: ComponentType<{ texts: Texts; onClose: () => void }>; texts: Texts }

/**
 * Opens the search. The dialog and its texts are loaded when it is first opened; if loading fails,
 * the visitor goes to the list of all pages instead.
 */
export function SearchButton() {
  const { t } = useTranslation()
  const { locale } = usePage()
  const isOpen = useStore(searchOpen)
  const [search, setSearch] = useState<LoadedSearch | null>(null)
  useEffect(
    () =>
      startSearchKeys({
        document,
        storage: localStorageOrNull(),
        open: () => searchOpen.set(true),
      }),
    [],
  )
  useEffect(() => {
    if (!isOpen) return undefined
    let canceled = false
    Promise.all([
      import(/* webpackChunkName: "search" */ './SearchDialog'),
      fetchTexts(locale, 'search'),
    ]).then(
      ([module, texts]) => {
        if (!canceled) setSearch({ Dialog: module.SearchDialog, texts })
      },
      () => window.location.assign(href(locale, 'links')),
    )
    return () => {
      canceled = true
    }
  }, [isOpen, locale])
  return (
    <>
      <button
        type="button"
        className={s['button']}
        data-action="search"
        aria-label={t('search')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => searchOpen.set(true)}
      >
        <Icon name="search" size={22} />
      </button>
      {isOpen && search && (
        <search.Dialog texts={search.texts} onClose={() => searchOpen.set(false)} />
      )}
    </>
  )
}
