import { seededRandom } from '../testing/seeded-random'

/** Random choices that a seed repeats exactly. */
export type Random = {
  /** A whole number from 0 to `count` - 1. */
  below: (count: number) => number
  chance: (probability: number) => boolean
  pick: <T>(choices: readonly T[]) => T
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed)
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      const chosen = choices[below(choices.length)]
      if (chosen === undefined) throw new Error('there is nothing to choose from')
      return chosen
    },
  }
}
