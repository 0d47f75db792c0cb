import { signupBanner as times } from '../../shared/constants'
import { browserClock, type Clock } from '../platform/clock'
import type { ScrollMove } from './scroll-watch'
import { createStore, type Store } from '../platform/store'

export type SignupBanner = {
  shown: Pick<Store<boolean>, 'get' | 'subscribe'>
  start: () => () => void
  moved: (move: Pick<ScrollMove, 'direction' | 'at'>) => void
  close: () => void
}

/** When the banner is to be seen (spec section 4): 1 s after load, not while scrolling down, again 5 s after that. Closed, it stays away. */
export function createSignupBanner(clock: Clock): SignupBanner {
  const shown = createStore(false)
  let closed = false
  let cancelFirst = (): void => undefined
  let cancelNext = (): void => undefined
  const show = (): void => {
    if (!closed) shown.set(true)
  }
  const stop = (): void => {
    cancelFirst()
    cancelNext()
  }
  return {
    shown,
    start() {
      cancelFirst = clock.after(times.appearAfter, show)
      return stop
    },
    moved({ direction, at }) {
      if (direction === 'none') return
      cancelNext()
      if (direction === 'up') show()
      else shown.set(false)
      cancelNext = clock.after(times.reappearAfter - (clock.now() - at), show)
    },
    close() {
      closed = true
      shown.set(false)
      stop()
    },
  }
}

export const signupBanner = createSignupBanner(browserClock)
