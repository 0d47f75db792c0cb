import { createFairQueue } from '../request/fair-queue'

export type AnswerTurns = {
  /**
   * Resolves when an answer of this address may be begun. Resolves at once when `signal` aborts,
   * because the client has left and the answer is not made.
   */
  begin: (group: string, signal?: AbortSignal) => Promise<void>
  /** Resolves when an answer that was begun may continue. */
  step: () => Promise<void>
}
type Options = {
  /** Number of answers sent from the cache so far. */
  hits: () => number
  /** ms. */
  now?: () => number
}

const windowMs = 20
/** From so many hits in a window on, other visitors would notice a flood. */
const busyHits = 10
/** The site counts as busy for so long after a busy window. */
const busyForMs = 1000
/**
 * Time between answers of one address that are begun while the site is busy. An answer keeps the
 * thread for about 3 ms, so one address delays one in a hundred of the cached answers.
 */
const busyIntervalMs = 300
/**
 * Time between answers that are begun while the site is busy, whatever their addresses. Otherwise
 * many addresses together keep this thread, and the one that compresses pages, busy all the time.
 */
const sharedIntervalMs = 30
/** The site's own work, which replaces stale answers. */
export const renewals = 'renewals'
const renewalIntervalMs = 50

/** Says whether another answer may be begun now. It may at any time, unless the site is busy. */
function createPacer({ hits, now = () => performance.now() }: Options) {
  const nextAt = new Map<string, number>()
  let startedAt = now()
  let hitsBefore = hits()
  let busyUntil = startedAt
  let sharedNextAt = 0

  function startWindowIfDue(time: number): void {
    const elapsedMs = time - startedAt
    if (elapsedMs < windowMs) return
    if (((hits() - hitsBefore) / elapsedMs) * windowMs >= busyHits) busyUntil = time + busyForMs
    startedAt = time
    hitsBefore = hits()
    for (const [group, at] of nextAt) if (at <= time) nextAt.delete(group)
  }
  return {
    mayBegin: (group: string): boolean => {
      const time = now()
      startWindowIfDue(time)
      if (time >= busyUntil) return true
      return time >= Math.max(sharedNextAt, nextAt.get(group) ?? 0)
    },
    count: (group: string): void => {
      const time = now()
      sharedNextAt = time + sharedIntervalMs
      nextAt.set(group, time + (group === renewals ? renewalIntervalMs : busyIntervalMs))
    },
  }
}

/**
 * At most one step of an answer runs in each turn of the event loop, so that finished pages are
 * sent in between: with all of a flood's answers begun at once, every other request waits until the
 * last is made. Addresses take turns. While the site sends many cached answers, it begins at most
 * three answers a second for one address, and 33 for all together; further requests wait.
 */
export function createAnswerTurns(options: Options): AnswerTurns {
  const pacer = createPacer(options)
  const steps: Array<() => void> = []
  const waiting = createFairQueue<{ group: string; start: () => void }>()
  let isTaken = false

  function nextStart(): (() => void) | undefined {
    const step = steps.shift()
    if (step) return step
    const next = waiting.shift(pacer.mayBegin)
    if (next) pacer.count(next.group)
    return next?.start
  }
  function startNext(): void {
    const start = nextStart()
    isTaken = start !== undefined || waiting.length() > 0
    if (start) setImmediate(startNext)
    else if (isTaken) setTimeout(startNext, windowMs)
    start?.()
  }
  function takeTurn(): void {
    if (isTaken) return
    isTaken = true
    startNext()
  }

  return {
    begin: (group, signal) =>
      new Promise((start) => {
        const entry = { group, start }
        waiting.push(group, entry)
        signal?.addEventListener('abort', () => waiting.remove(group, entry) && start())
        takeTurn()
      }),
    step: () =>
      new Promise((resolve) => {
        steps.push(resolve)
        takeTurn()
      }),
  }
}
