/**
 * Time for modules of the client; tests pass a fake one. `after` and `frame` return a function that
 * cancels the call.
 */
export type Clock = {
  /** ms since a fixed moment. */
  now: () => number
  after: (ms: number, run: () => void) => () => void
  /** Runs before the next frame is painted. */
  frame: (run: () => void) => () => void
}

export const browserClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = window.setTimeout(run, ms)
    return () => window.clearTimeout(timer)
  },
  frame(run) {
    const request = window.requestAnimationFrame(run)
    return () => window.cancelAnimationFrame(request)
  },
}
