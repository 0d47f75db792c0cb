import { loadingBar as times } from '../../shared/constants'
import { browserClock, type Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'

/** `shown` is false while the bar fades out and before it comes; `progress` is 0 to 100. */
export type BarView = {
  state: 'idle' | 'loading' | 'finished' | 'error'
  progress: number
  shown: boolean
}
export type LoadingBar = {
  view: Pick<Store<BarView>, 'get' | 'subscribe'>
  start: () => void
  finish: () => void
  fail: () => void
}

const idle: BarView = { state: 'idle', progress: 0, shown: false }
/** Where the bar waits for the answer: the last tenth belongs to `finish()`. */
const waitingAt = 90

/**
 * The bar of spec section 4: idle, after 200 ms loading, eased over 2000 ms, finished or failed, hidden after 500 ms, idle again
 * after another 400 ms. What ends within the first 200 ms is never seen; a failure always is.
 */
export function createLoadingBar(clock: Clock): LoadingBar {
  const view = createStore<BarView>(idle)
  let cancel = (): void => undefined
  let pending = false

  const ease = (since: number): void => {
    const share = Math.min((clock.now() - since) / times.duration, 1)
    view.set({ state: 'loading', progress: waitingAt * (1 - (1 - share) ** 3), shown: true })
    if (share < 1) cancel = clock.frame(() => ease(since))
  }
  const end = (state: 'finished' | 'error'): void => {
    cancel()
    pending = false
    view.set({ state, progress: 100, shown: true })
    cancel = clock.after(times.hideDelay, () => {
      view.set({ state, progress: 100, shown: false })
      cancel = clock.after(times.resetDelay, () => view.set(idle))
    })
  }
  return {
    view,
    start() {
      if (pending || view.get().state === 'loading') return
      cancel()
      view.set(idle)
      pending = true
      cancel = clock.after(times.throttle, () => {
        pending = false
        ease(clock.now())
      })
    },
    finish() {
      if (view.get().state === 'loading') end('finished')
      if (!pending) return
      cancel()
      pending = false
    },
    fail() {
      if (pending || view.get().state === 'loading') end('error')
    },
  }
}

/** The page's own bar: whoever navigates drives it. */
export const loadingBar = createLoadingBar(browserClock)
