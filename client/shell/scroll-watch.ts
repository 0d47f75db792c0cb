import { scroll } from '../../shared/constants'
import type { Clock } from '../platform/clock'

/** Where the page stands. `at` is when it last moved, which may be up to one throttle before the call. */
export type ScrollMove = {
  y: number
  direction: 'up' | 'down' | 'none'
  at: number
  viewport: number
}

/** Tells of scrolling and resizing at once and then at most every 200 ms (spec section 9); the last move is always told. */
export function startScrollWatch(
  page: Window,
  clock: Clock,
  tell: (move: ScrollMove) => void,
): () => void {
  let before = page.scrollY
  let movedAt = clock.now()
  let cancel: (() => void) | null = null
  let again = false
  const report = (): void => {
    const y = page.scrollY
    tell({
      y,
      direction: y > before ? 'down' : y < before ? 'up' : 'none',
      at: movedAt,
      viewport: page.innerHeight,
    })
    before = y
    again = false
    cancel = clock.after(scroll.throttle, () => {
      cancel = null
      if (again) report()
    })
  }
  const moved = (): void => {
    movedAt = clock.now()
    if (cancel) again = true
    else report()
  }
  page.addEventListener('scroll', moved, { passive: true })
  page.addEventListener('resize', moved)
  tell({ y: before, direction: 'none', at: movedAt, viewport: page.innerHeight })
  return () => {
    cancel?.()
    page.removeEventListener('scroll', moved)
    page.removeEventListener('resize', moved)
  }
}
