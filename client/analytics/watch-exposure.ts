import { analytics } from '../../shared/constants'
import type { EmitEvent } from './analytics'

type Deps = {
  root: Element
  emit: EmitEvent
  IntersectionObserver: typeof globalThis.IntersectionObserver
  MutationObserver: typeof globalThis.MutationObserver
  /** Adds a listener for navigations; returns the function that removes it. */
  onNavigation: (listener: () => void) => () => void
}

/** Reports each element marked `data-expose` once per page, when half of it is visible. */
export function watchExposure({
  root,
  emit,
  IntersectionObserver,
  MutationObserver,
  onNavigation,
}: Deps): () => void {
  const threshold = analytics.exposureThreshold
  let reported = new WeakSet<Element>()
  const visibility = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        if (!isIntersecting || intersectionRatio < threshold || reported.has(target)) continue
        reported.add(target)
        visibility.unobserve(target)
        emit({
          kind: 'expose',
          trigger: 'visible',
          addition: { key: target.getAttribute('data-expose') ?? '' },
        })
      }
    },
    { threshold },
  )
  const observeMarked = (): void => {
    for (const element of root.querySelectorAll('[data-expose]'))
      if (!reported.has(element)) visibility.observe(element)
  }
  const additions = new MutationObserver(observeMarked)
  const stopNavigation = onNavigation(() => {
    reported = new WeakSet()
    observeMarked()
  })
  observeMarked()
  additions.observe(root, { childList: true, subtree: true })
  return () => {
    stopNavigation()
    visibility.disconnect()
    additions.disconnect()
  }
}
