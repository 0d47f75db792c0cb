import { scroll } from '../../shared/constants'
import { browserClock } from '../platform/clock'
import { startScrollWatch } from './scroll-watch'
import { signupBanner } from './signup-banner'
import { createStore } from '../platform/store'

/** Whether the page is scrolled beyond one viewport height (spec 2.6). */
export const farDown = createStore(false)

/** One throttled handler serves all that depends on scrolling. */
export const startPageScroll = (): (() => void) =>
  startScrollWatch(window, browserClock, (move) => {
    farDown.set(move.y > move.viewport * scroll.topAfterViewports)
    signupBanner.moved(move)
  })
