import { loadingBar as timing } from '../../shared/constants'
import { browserClock, type Clock } from '../platform/clock'
import { createStore, type Store } from '../platform/store'

/** `visible` is false before the bar appears and while it fades out; `progress` is 0 to 100. */
type LoadingBarView = {
  state: 'idle' | 'loading' | 'finished' | 'error'
  progress: number
  visible: boolean
}
export type LoadingBar = {
  view: Pick<Store<LoadingBarView>, 'get' | 'subscribe'>
  start: () => void
  finish: () => void
  fail: () => void
}

const idle: LoadingBarView = { state: 'idle', progress: 0, visible: false }
/** Progress at which the bar waits for the answer; only `finish()` completes it. */
const maxLoadingProgress = 90

/**
 * The loading bar of spec 7.1: idle; loading after 200 ms, eased over 2000 ms; finished or failed;
 * hidden after 500 ms; idle again after another 400 ms. A navigation that ends within the first 200
 * ms shows no bar; a failure always shows it.
 */
export function createLoadingBar(clock: Clock): LoadingBar {
  const view = createStore<LoadingBarView>(idle)
  let cancel = (): void => undefined
  let pending = false

  const animate = (since: number): void => {
    const elapsedShare = Math.min((clock.now() - since) / timing.durationMs, 1)
    view.set({
      state: 'loading',
      progress: maxLoadingProgress * (1 - (1 - elapsedShare) ** 3),
      visible: true,
    })
    if (elapsedShare < 1) cancel = clock.frame(() => animate(since))
  }
  const end = (state: 'finished' | 'error'): void => {
    cancel()
    pending = false
    view.set({ state, progress: 100, visible: true })
    cancel = clock.after(timing.hideDelayMs, () => {
      view.set({ state, progress: 100, visible: false })
      cancel = clock.after(timing.resetDelayMs, () => view.set(idle))
    })
  }
  return {
    view,
    start() {
      if (pending || view.get().state === 'loading') return
      cancel()
      view.set(idle)
      pending = true
      cancel = clock.after(timing.throttleMs, () => {
        pending = false
        animate(clock.now())
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

/** The loading bar of the page. */
export const loadingBar = createLoadingBar(browserClock)
