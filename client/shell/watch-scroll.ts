import { scroll } from '../../shared/constants'
import type { Clock } from '../platform/clock'

export type ScrollMove = {
  /** Scroll position and viewport height in px. */
  y: number
  viewportHeight: number
  direction: 'up' | 'down' | 'none'
  /**
   * When the page last moved, on the clock's scale: up to one throttle interval before the call.
   */
  movedAt: number
}

/**
 * Reports scrolling and resizing at once, then at most every 200 ms; the last move is always
 * reported. Also calls `onMove` once at the start.
 */
export function watchScroll(
  window: Window,
  clock: Clock,
  onMove: (move: ScrollMove) => void,
): () => void {
  let previousY = window.scrollY
  let movedAt = clock.now()
  let cancelThrottle: (() => void) | null = null
  let hasMovedAgain = false

  const move = (y: number, direction: ScrollMove['direction']): ScrollMove => ({
    y,
    viewportHeight: window.innerHeight,
    direction,
    movedAt,
  })
  const report = (): void => {
    const y = window.scrollY
    onMove(move(y, y > previousY ? 'down' : y < previousY ? 'up' : 'none'))
    previousY = y
    hasMovedAgain = false
    cancelThrottle = clock.after(scroll.throttleMs, () => {
      cancelThrottle = null
      if (hasMovedAgain) report()
    })
  }
  const onEvent = (): void => {
    movedAt = clock.now()
    if (cancelThrottle) hasMovedAgain = true
    else report()
  }
  window.addEventListener('scroll', onEvent, { passive: true })
  window.addEventListener('resize', onEvent)
  onMove(move(previousY, 'none'))
  return () => {
    cancelThrottle?.()
    window.removeEventListener('scroll', onEvent)
    window.removeEventListener('resize', onEvent)
  }
}
