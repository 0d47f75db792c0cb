import { useEffect, useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import type { Texts } from '../../shared/view'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import { browserStorage } from '../platform/browser-storage'
import { startSearchKeys } from './search-keys'
import { fetchTexts } from '../platform/fetch-texts'
import { searchOpen } from './search-open'
import s from '../components/HeaderButton.module.css'
import { useStore } from '../platform/use-store'

type Ready = { Dialog: ComponentType<{ texts: Texts; onClose: () => void }>; texts: Texts }

/** Opens the search. The dialog and its texts come when it is first opened; where they don't, the list of all pages does. */
export function SearchButton() {
  const { t } = useTranslation()
  const { locale } = usePage()
  const open = useStore(searchOpen)
  const [ready, setReady] = useState<Ready | null>(null)
  useEffect(
    () =>
      startSearchKeys({
        page: document,
        storage: browserStorage(),
        open: () => searchOpen.set(true),
      }),
    [],
  )
  useEffect(() => {
    if (!open) return undefined
    let gone = false
    Promise.all([
      import(/* webpackChunkName: "search" */ './SearchDialog'),
      fetchTexts(locale, 'search'),
    ]).then(
      ([module, texts]) => {
        if (!gone) setReady({ Dialog: module.SearchDialog, texts })
      },
      () => window.location.assign(href(locale, 'links')),
    )
    return () => {
      gone = true
    }
  }, [open, locale])
  return (
    <>
      <button
        type="button"
        className={s['switch']}
        data-action="search"
        aria-label={t('search')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={() => searchOpen.set(true)}
      >
        <Icon name="search" size={22} />
      </button>
      {open && ready && <ready.Dialog texts={ready.texts} onClose={() => searchOpen.set(false)} />}
    </>
  )
}
