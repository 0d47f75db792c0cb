import { signupBanner as timing } from '../../shared/constants'
import { browserClock, type Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'
import type { ScrollMove } from './watch-scroll'

type SignupBanner = {
  visible: Pick<Store<boolean>, 'get' | 'subscribe'>
  start: () => () => void
  onScroll: (move: Pick<ScrollMove, 'direction' | 'movedAt'>) => void
  close: () => void
}

/**
 * When the sign-up banner is visible (spec 7.1): from 1 s after load, not while the visitor scrolls
 * down, and again 5 s after the last scrolling. Once closed it does not return.
 */
function createSignupBanner(clock: Clock): SignupBanner {
  const visible = createStore(false)
  let isClosed = false
  let cancelFirst = (): void => undefined
  let cancelReappear = (): void => undefined
  const show = (): void => {
    if (!isClosed) visible.set(true)
  }
  const stop = (): void => {
    cancelFirst()
    cancelReappear()
  }
  return {
    visible,
    start() {
      cancelFirst = clock.after(timing.appearAfterMs, show)
      return stop
    },
    onScroll({ direction, movedAt }) {
      if (direction === 'none') return
      cancelReappear()
      if (direction === 'up') show()
      else visible.set(false)
      cancelReappear = clock.after(timing.reappearAfterMs - (clock.now() - movedAt), show)
    },
    close() {
      isClosed = true
      visible.set(false)
      stop()
    },
  }
}

export const signupBanner = createSignupBanner(browserClock)
