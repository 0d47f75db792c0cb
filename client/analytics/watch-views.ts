import type { EmitEvent } from './analytics'

type Deps = {
  window: Window
  emit: EmitEvent
  route: () => string
  onNavigation: (listener: (durationMs: number, trigger: string) => void) => () => void
}

/** How long the document took to load (ms); until now when it is still loading. */
function loadDurationMs({ performance }: Window): number {
  const [timing] = performance.getEntriesByType('navigation')
  return Math.round(
    timing instanceof PerformanceNavigationTiming
      ? timing.loadEventEnd || timing.domContentLoadedEventEnd || performance.now()
      : performance.now(),
  )
}

/**
 * Reports a view with its duration at load and at every navigation (spec 7.7). A prerendered page
 * counts as viewed when the visitor opens it.
 */
export function watchViews({ window, emit, route, onNavigation }: Deps): () => void {
  const { document } = window
  const emitView = (trigger: string, duration?: number): void =>
    emit({
      kind: 'view',
      trigger,
      ...(duration === undefined ? {} : { duration: Math.round(duration) }),
      addition: { route: route() },
    })
  const onLoad = (): void => emitView('load', loadDurationMs(window))
  if (document.prerendering) document.addEventListener('prerenderingchange', onLoad, { once: true })
  else onLoad()
  // A page restored from the back/forward cache is viewed again without loading.
  const onPageShow = (event: PageTransitionEvent): void => {
    if (event.persisted) emitView('bfcache')
  }
  window.addEventListener('pageshow', onPageShow)
  const stopNavigation = onNavigation((durationMs, trigger) => emitView(trigger, durationMs))
  return () => {
    stopNavigation()
    document.removeEventListener('prerenderingchange', onLoad)
    window.removeEventListener('pageshow', onPageShow)
  }
}
