import { scroll } from '../../shared/constants'
import { browserClock } from '../platform/clock'
import { watchScroll } from './watch-scroll'
import { signupBanner } from './signup-banner'
import { createStore } from '../platform/store'

/** Whether the page is scrolled down by more than one viewport height (spec 7.1). */
export const isScrolledDown = createStore(false)

/** Starts the one throttled scroll handler that all parts of the shell share. */
export const startPageScroll = (): (() => void) =>
  watchScroll(window, browserClock, (move) => {
    isScrolledDown.set(move.y > move.viewportHeight * scroll.topAfterViewports)
    signupBanner.onScroll(move)
  })
