import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 10

/**
 * Starts to measure; the function that it returns gives the time since (ms). Twice the longest time
 * for which the machine let this process wait is taken off: other tests run beside it, and a site
 * waits as this process does. So a limit means the same on a quiet and on a busy machine.
 */
export function startStopwatch(): () => number {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  const startedAt = performance.now()
  return () => {
    const elapsed = performance.now() - startedAt
    delays.disable()
    return elapsed - 2 * Math.max(0, delays.max / 1e6 - resolutionMs)
  }
}
