import type { PageShownDetail } from '../navigation/current-page'
import type { EmitEvent } from './analytics'

type Deps = {
  window: Window
  emit: EmitEvent
  route: () => string
  onNavigation: (listener: (shown: PageShownDetail) => void) => () => void
}

/** Calls the listener when the browser shows the page again from its back/forward cache. */
export function onPageRestored(window: Window, listener: () => void): () => void {
  const onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) listener()
  }
  window.addEventListener('pageshow', onPageShow)
  return () => window.removeEventListener('pageshow', onPageShow)
}

/**
 * Reports a view at load and at every navigation (spec 7.7). A prerendered page counts as viewed
 * when the visitor opens it.
 */
export function watchViews({ window, emit, route, onNavigation }: Deps): () => void {
  const { document } = window
  const emitView = (trigger: string): void =>
    emit({ kind: 'view', trigger, addition: { route: route() } })
  const onLoad = (): void => emitView('load')
  if (document.prerendering) document.addEventListener('prerenderingchange', onLoad, { once: true })
  else onLoad()
  // A restored page is viewed again without loading.
  const stopRestored = onPageRestored(window, () =>
    emit({ kind: 'view', trigger: 'bfcache', duration: 0, addition: { route: route() } }),
  )
  const stopNavigation = onNavigation(({ trigger }) => emitView(trigger))
  return () => {
    stopNavigation()
    stopRestored()
    document.removeEventListener('prerenderingchange', onLoad)
  }
}
