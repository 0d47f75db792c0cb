import { useEffect, useState, type ComponentType } from 'react'
import { href } from '../../shared/routes/href'
import type { Texts } from '../../shared/view'
import { pageWillShowEvent } from '../navigation/current-page'
import { localStorageOrNull } from '../platform/browser-storage'
import { fetchTexts } from '../platform/fetch-texts'
import { useStore } from '../platform/use-store'
import { usePage } from '../view-context'
import { startSearchKeys } from './search-keys'
import { searchOpen } from './search-open'
import { useTexts } from '../use-texts'

type LoadedSearch = { Dialog: ComponentType<{ texts: Texts; onClose: () => void }>; texts: Texts }

/**
 * The search dialog and its keyboard shortcuts. The dialog and its texts are loaded when it is
 * first opened; if loading fails, the visitor goes to the list of all pages instead. Without a
 * network that page would fail too, so the visitor stays and `alert` says why.
 */
export function LazySearchDialog({ alert }: { alert: (text: string) => void }) {
  const offlineText = useTexts('navigation')('offline')
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
    const close = (): void => searchOpen.set(false)
    window.addEventListener(pageWillShowEvent, close)
    return () => window.removeEventListener(pageWillShowEvent, close)
  }, [])
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
      () => {
        if (canceled) return
        searchOpen.set(false)
        if (navigator.onLine) window.location.assign(href(locale, 'links'))
        else alert(offlineText)
      },
    )
    return () => {
      canceled = true
    }
  }, [isOpen, locale, alert, offlineText])
  if (!isOpen || !search) return null
  return <search.Dialog texts={search.texts} onClose={() => searchOpen.set(false)} />
}
