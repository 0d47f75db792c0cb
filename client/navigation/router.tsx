/**
 * Moving about without loads. React Router holds location and history; what a location shows is fetched by
 * `visitor/navigation.ts` before the address changes, so that address and page always agree. This chunk comes after the
 * first page takes input: nothing of it is needed to read or to leave.
 */
import { useEffect, useRef, useState } from 'react'
import { BrowserRouter, useLocation, useNavigate, useNavigationType } from 'react-router-dom'
import { createArrival, type Arrivals } from './arrival'
import type { ShownPage } from './shown-page'
import { startNavigation, type SiteNavigation } from './start-navigation'

type RouterProps = {
  shown: ShownPage
  /** Shows a failure to the visitor. */
  alert: (text: string) => void
  /** Called once clicks can be taken. */ ready: (open: (url: URL) => void) => void
}

/** What every page renders beside itself: the router, and the line in which a screen reader hears of a new page. */
export function SiteRouter(props: RouterProps) {
  return (
    <BrowserRouter>
      <Navigator {...props} />
    </BrowserRouter>
  )
}

function Navigator({ shown, alert, ready }: RouterProps) {
  const location = useLocation()
  const type = useNavigationType()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const go = useRef(navigate)
  go.current = navigate
  const running = useRef<{ navigation: SiteNavigation; arrivals: Arrivals } | null>(null)

  useEffect(() => {
    const arrivals = createArrival({
      page: window,
      shown,
      go: (address, replace) => void go.current(address, { replace }),
      announce: setTitle,
    })
    const navigation = startNavigation({ page: window, shown, arrivals, alert })
    running.current = { navigation, arrivals }
    ready((url) => navigation.open(url))
    return () => {
      navigation.stop()
      arrivals.stop()
    }
  }, [shown, alert, ready])

  useEffect(() => {
    if (type === 'POP') running.current?.navigation.travelled()
  }, [location, type])

  return (
    <p className="sr-only" role="status">
      {title}
    </p>
  )
}
