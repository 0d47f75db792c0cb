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
 * Reports a view at its start, after a return from the back/forward cache, and at every navigation
 * (spec 7.7).
 */
export function watchViews({ window, emit, route, onNavigation }: Deps): () => void {
  const emitView = (trigger: string): void =>
    emit({ kind: 'view', trigger, addition: { route: route() } })
  emitView('load')
  // A restored page is viewed again without loading.
  const stopRestored = onPageRestored(window, () =>
    emit({ kind: 'view', trigger: 'bfcache', duration: 0, addition: { route: route() } }),
  )
  const stopNavigation = onNavigation(({ trigger }) => emitView(trigger))
  return () => {
    stopNavigation()
    stopRestored()
  }
}
