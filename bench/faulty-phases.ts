/** A load that goes on while something below the site fails, phase by phase: what was answered in each. */
import type { LoadResult } from '../testing/steady-load'

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((done) => setTimeout(done, milliseconds))

/** One phase: what is done at its beginning, how long it lasts then (ms). `failing`: a store is away in it, so writes may answer 503. */
export type Phase = { name: string; act: () => Promise<unknown>; lasts: number; failing: boolean }
/** Counts of one load: its name, its result so far, and the statuses that are good in a phase. */
export type Watched = {
  name: string
  result: LoadResult
  good: (status: number, phase: Phase) => boolean
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

/** Runs the phases, prints a line for each and load, and answers how many requests had no good answer. */
export async function runPhases(
  phases: readonly Phase[],
  loads: readonly Watched[],
  more: () => Promise<string> = async () => '',
): Promise<number> {
  let failed = 0
  for (const phase of phases) {
    const before = loads.map(({ result }) => ({
      answers: { ...result.answers },
      lost: { ...result.lost },
    }))
    for (const { result } of loads) result.times.length = 0
    await phase.act()
    await sleep(phase.lasts)
    const parts = loads.map(({ name, result, good }, index) => {
      const [answers, lost] = [
        difference(result.answers, before[index]?.answers ?? {}),
        difference(result.lost, before[index]?.lost ?? {}),
      ]
      const bad =
        Object.entries(answers).reduce(
          (sum, [status, count]) => sum + (good(Number(status), phase) ? 0 : count),
          0,
        ) + Object.values(lost).reduce((sum, count) => sum + count, 0)
      failed += bad
      return `${name} ${JSON.stringify(answers)}${bad > 0 ? ` FAILED ${bad} ${JSON.stringify(lost)}` : ''}, slowest ${result.times.reduce((most, time) => Math.max(most, time), 0).toFixed(0)} ms`
    })
    console.log(`${phase.name}: ${parts.join('; ')}${await more()}`)
  }
  return failed
}
