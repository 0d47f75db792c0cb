import { analytics } from '../../shared/constants'
import type { EmitEvent } from './analytics'
import { positionOf } from './position-of'
import { onPageRestored } from './watch-views'

type Deps = {
  window: Window & Pick<typeof globalThis, 'IntersectionObserver' | 'MutationObserver'>
  emit: EmitEvent
  /** Adds a listener for navigations; returns the function that removes it. */
  onNavigation: (listener: () => void) => () => void
}

const share = analytics.exposureThreshold
/** In steps of 1 %, because half a window may be a small part of a tall element. */
const thresholds = Array.from({ length: share * 100 }, (_, index) => (index + 1) / 100)

/**
 * Whether half of an element is visible; of one that is taller than two windows, whether it fills
 * half of the window. An element without a box is never seen.
 */
function isSeen(entry: IntersectionObserverEntry): boolean {
  const { isIntersecting, intersectionRatio, boundingClientRect: box, rootBounds } = entry
  if (!isIntersecting || box.width === 0 || box.height === 0) return false
  const windowHeight = rootBounds?.height ?? Infinity
  const isTooTall = box.height * share > windowHeight
  return (
    intersectionRatio >= share ||
    (isTooTall && entry.intersectionRect.height >= windowHeight * share)
  )
}

/** Reports each element marked `data-expose` once for each page view, when it is seen. */
export function watchExposure({ window, emit, onNavigation }: Deps): () => void {
  const { body } = window.document
  let reported = new WeakSet<Element>()
  const visibility = new window.IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const { target } = entry
        if (!isSeen(entry) || reported.has(target)) continue
        reported.add(target)
        visibility.unobserve(target)
        const key = target.getAttribute('data-expose') ?? ''
        const addition = { key, ...positionOf(target, 'data-expose') }
        emit({ kind: 'expose', trigger: 'visible', addition })
      }
    },
    { threshold: thresholds },
  )
  // A part that is still loading only keeps the reserved space.
  const isLoading = (element: Element): boolean => element.closest('[aria-busy="true"]') !== null
  const observeMarked = (): void => {
    for (const element of body.querySelectorAll('[data-expose]'))
      if (!reported.has(element) && !isLoading(element)) visibility.observe(element)
  }
  const additions = new window.MutationObserver(observeMarked)
  const startView = (): void => {
    reported = new WeakSet()
    observeMarked()
  }
  const stops = [onNavigation(startView), onPageRestored(window, startView)]
  observeMarked()
  additions.observe(body, { childList: true, subtree: true })
  return () => {
    for (const stop of stops) stop()
    visibility.disconnect()
    additions.disconnect()
  }
}
