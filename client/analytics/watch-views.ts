import type { EmitEvent } from './analytics'

type Deps = {
  page: Window
  emit: EmitEvent
  route: () => string
  onNavigation: (listener: (duration: number, trigger: string) => void) => () => void
}

/** How long the document took to load (ms), as far as it has. */
function loadDuration(page: Window): number {
  const [entry] = page.performance.getEntriesByType('navigation')
  const timing = entry instanceof PerformanceNavigationTiming ? entry : null
  return Math.round(
    timing
      ? timing.loadEventEnd || timing.domContentLoadedEventEnd || page.performance.now()
      : page.performance.now(),
  )
}

/** Reports a view at load and at every navigation (spec 2.5), with how long it took; a page that is only prerendered is viewed when it is shown. */
export function watchViews({ page, emit, route, onNavigation }: Deps): () => void {
  const { document } = page
  const first = (): void =>
    emit({
      kind: 'view',
      trigger: 'load',
      duration: loadDuration(page),
      addition: { route: route() },
    })
  const prerendering = 'prerendering' in document && document.prerendering === true
  if (prerendering) document.addEventListener('prerenderingchange', first, { once: true })
  else first()
  // Back from the browser's memory: seen again, and nothing was loaded.
  const shown = (event: PageTransitionEvent): void => {
    if (event.persisted) emit({ kind: 'view', trigger: 'bfcache', addition: { route: route() } })
  }
  page.addEventListener('pageshow', shown)
  const stop = onNavigation((duration, trigger) =>
    emit({ kind: 'view', trigger, duration: Math.round(duration), addition: { route: route() } }),
  )
  return () => {
    stop()
    document.removeEventListener('prerenderingchange', first)
    page.removeEventListener('pageshow', shown)
  }
}
