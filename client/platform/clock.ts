/** Time, as visitor modules ask for it: a test hands in its own. Each call returns what cancels it. */
export type Clock = {
  /** ms since some fixed moment. */
  now: () => number
  after: (ms: number, run: () => void) => () => void
  /** Before the next picture is drawn. */
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
