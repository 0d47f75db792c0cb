import type { SafeStorage } from '../platform/safe-storage'
import { toRecord } from '../platform/to-record'

type PromptCoolDown = {
  isActive: () => boolean
  /** Starts a cool-down after a dismissal. */
  start: () => void
  clear: () => void
}

const storageKey = 'one_tap_cooldown'
const hourMs = 3_600_000
/** After the first, second, third and every further dismissal in a row. */
const durationsMs = [2 * hourMs, 24 * hourMs, 7 * 24 * hourMs, 28 * 24 * hourMs]

/** `until`: ms since 1970. `times`: dismissals in a row. */
function read(storage: SafeStorage): { until: number; times: number } {
  try {
    const { until, times } = toRecord(JSON.parse(storage.get(storageKey) ?? ''))
    return { until: Number(until) || 0, times: Number(times) || 0 }
  } catch {
    return { until: 0, times: 0 }
  }
}

/**
 * The time after a dismissal in which the prompt is not shown. It is stored, because it outlasts
 * the page; `now` is ms since 1970.
 */
export const createPromptCoolDown = (storage: SafeStorage, now: () => number): PromptCoolDown => ({
  isActive: () => read(storage).until > now(),
  start() {
    const { times } = read(storage)
    const durationMs = durationsMs[Math.min(times, durationsMs.length - 1)] ?? 0
    storage.set(storageKey, JSON.stringify({ until: now() + durationMs, times: times + 1 }))
  },
  clear: () => storage.remove(storageKey),
})
