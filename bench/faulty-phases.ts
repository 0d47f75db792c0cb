/**
 * Runs phases of an outage (database or Redis) under load and counts the responses of each phase.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadResult } from '../testing/steady-load'

export type Phase = {
  name: string
  /** Runs at the beginning of the phase. */
  act: () => Promise<unknown>
  /** How long the phase lasts after `act`. */
  durationMs: number
  /** A store is unavailable during the phase, so writes may be answered with 503. */
  isOutage: boolean
}
/** A load with its counts so far. `isExpected` says which statuses are correct in a phase. */
type ObservedLoad = {
  name: string
  result: LoadResult
  isExpected: (status: number, phase: Phase) => boolean
}

const difference = (
  now: Record<string, number>,
  before: Record<string, number>,
): Record<string, number> =>
  Object.fromEntries(
    Object.entries(now)
      .map(([key, count]) => [key, count - (before[key] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )

/**
 * Runs the phases and prints a line for each. Returns the number of requests that failed or were
 * answered with an unexpected status. `details` returns text to append to each line.
 */
export async function runPhases(
  phases: readonly Phase[],
  loads: readonly ObservedLoad[],
  details: () => Promise<string> = () => Promise.resolve(''),
): Promise<number> {
  let failed = 0
  for (const phase of phases) {
    const before = loads.map(({ result }) => ({
      answers: { ...result.answers },
      lost: { ...result.lost },
    }))
    for (const { result } of loads) result.times.length = 0
    await phase.act()
    await sleep(phase.durationMs)
    const lines = loads.map(({ name, result, isExpected: good }, index) => {
      const [answers, lost] = [
        difference(result.answers, before[index]?.answers ?? {}),
        difference(result.lost, before[index]?.lost ?? {}),
      ]
      const failures =
        Object.entries(answers).reduce(
          (sum, [status, count]) => sum + (good(Number(status), phase) ? 0 : count),
          0,
        ) + Object.values(lost).reduce((sum, count) => sum + count, 0)
      failed += failures
      return `${name} ${JSON.stringify(answers)}${failures > 0 ? ` FAILED ${failures} ${JSON.stringify(lost)}` : ''}, slowest ${result.times.reduce((most, time) => Math.max(most, time), 0).toFixed(0)} ms`
    })
    console.log(`${phase.name}: ${lines.join('; ')}${await details()}`)
  }
  return failed
}
