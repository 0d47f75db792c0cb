import { analytics } from '../../shared/constants'
import type { EmitEvent } from './analytics'

type Deps = {
  root: Element
  emit: EmitEvent
  Observer: typeof IntersectionObserver
  Mutations: typeof MutationObserver
  /** Called at each navigation; returns what ends that. */ onNavigation: (
    listener: () => void,
  ) => () => void
}

/** Reports each element marked `data-expose` once a page, when half of it is in the window; a navigation begins a new page. */
export function watchExposure({ root, emit, Observer, Mutations, onNavigation }: Deps): () => void {
  let reported = new WeakSet<Element>()
  const seen = new Observer(
    (entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        if (
          !isIntersecting ||
          intersectionRatio < analytics.exposureThreshold ||
          reported.has(target)
        )
          continue
        reported.add(target)
        seen.unobserve(target)
        emit({
          kind: 'expose',
          trigger: 'visible',
          addition: { key: target.getAttribute('data-expose') ?? '' },
        })
      }
    },
    { threshold: analytics.exposureThreshold },
  )
  const find = (): void => {
    for (const element of root.querySelectorAll('[data-expose]'))
      if (!reported.has(element)) seen.observe(element)
  }
  const added = new Mutations(find)
  const stop = onNavigation(() => {
    reported = new WeakSet()
    find()
  })
  find()
  added.observe(root, { childList: true, subtree: true })
  return () => {
    stop()
    seen.disconnect()
    added.disconnect()
  }
}
