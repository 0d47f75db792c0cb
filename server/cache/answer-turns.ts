import { createFairQueue } from '../request/fair-queue'

export type AnswerTurns = {
  /** Resolves when an answer of this address may be begun. */
  begin: (group: string) => Promise<void>
  /** Resolves when an answer that was begun may continue. */
  step: () => Promise<void>
}
type Options = {
  /** Number of answers sent from the cache so far. */
  hits: () => number
  /** ms. */
  now?: () => number
}

const windowMs = 100
/** From so many hits in a window on, other visitors would notice a flood. */
const busyHits = 50
/** Answers of one address that are begun in a window while the site is busy: 20 a second. */
const begunWhenBusy = 2

/**
 * Counts the answers begun for each address in the current window, and knows whether the site was
 * busy with cached answers in the last one.
 */
function createPacer({ hits, now = () => performance.now() }: Options) {
  const begun = new Map<string, number>()
  let startedAt = now()
  let hitsBefore = hits()
  let isBusy = false

  function startWindowIfDue(): void {
    const elapsedMs = now() - startedAt
    if (elapsedMs < windowMs) return
    isBusy = ((hits() - hitsBefore) / elapsedMs) * windowMs >= busyHits
    startedAt = now()
    hitsBefore = hits()
    begun.clear()
  }
  return {
    mayBegin: (group: string): boolean => {
      startWindowIfDue()
      return !isBusy || (begun.get(group) ?? 0) < begunWhenBusy
    },
    count: (group: string): void => void begun.set(group, (begun.get(group) ?? 0) + 1),
  }
}

/**
 * At most one step of an answer runs in each turn of the event loop, so that finished pages are
 * sent in between: with all of a flood's answers begun at once, every other request waits until the
 * last is made. Addresses take turns. While the site sends many cached answers, one address may
 * begin 20 answers a second; the others wait.
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
    else if (isTaken) setTimeout(startNext, windowMs / 5)
    start?.()
  }
  function takeTurn(): void {
    if (isTaken) return
    isTaken = true
    startNext()
  }

  return {
    begin: (group) =>
      new Promise((start) => {
        waiting.push(group, { group, start })
        takeTurn()
      }),
    step: () =>
      new Promise((resolve) => {
        steps.push(resolve)
        takeTurn()
      }),
  }
}
