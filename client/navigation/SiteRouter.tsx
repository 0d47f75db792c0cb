/**
 * Shows the next page without loading a new document (decision 13). React Router changes the
 * address and the history. `start-navigation.ts` fetches a page before the address changes, so that
 * address and page always agree. This chunk is fetched after the first page takes input: reading
 * and leaving the page need nothing of it.
 */
import { useEffect, useRef, useState } from 'react'
import { BrowserRouter, useNavigate } from 'react-router-dom'
import { browserClock } from '../platform/clock'
import type { CurrentPageStore } from './current-page'
import type { HistoryEntry } from './history-entry'
import { createPagePresenter } from './page-presenter'
import { startNavigation } from './start-navigation'

type RouterProps = {
  current: CurrentPageStore
  /** The history entry of the page that was loaded; the visitor may have left it. */
  loadedEntry: HistoryEntry
  /** Shows a failure to the visitor. */
  alert: (text: string) => void
  /** Called with the function that opens a page, once links can be clicked. */
  onReady: (open: (url: URL) => void) => void
}

/** Rendered beside every page: the router, and the live region that announces a new page. */
export function SiteRouter(props: RouterProps) {
  return (
    <BrowserRouter>
      <Navigator {...props} />
    </BrowserRouter>
  )
}

function Navigator({ current, loadedEntry, alert, onReady }: RouterProps) {
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const latestNavigate = useRef(navigate)
  latestNavigate.current = navigate

  useEffect(() => {
    const presenter = createPagePresenter({
      window,
      now: browserClock.now,
      current,
      loadedEntry,
      changeAddress: (address, replace) => void latestNavigate.current(address, { replace }),
      announce: setTitle,
    })
    const navigation = startNavigation({ window, current, presenter, alert })
    onReady(navigation.open)
    return () => {
      navigation.stop()
      presenter.stop()
    }
  }, [current, loadedEntry, alert, onReady])

  return (
    <p className="sr-only" role="status">
      {title}
    </p>
  )
}
