/** Times in seconds, counted in buckets. Plain numbers: it is told of every single request. */
export type Histogram = {
  observe: (seconds: number) => void
  /** How many fell into each bucket (the last has no bound), and their sum. */ read: () => {
    counts: readonly number[]
    sum: number
  }
}

/** Upper bounds of the buckets (s): from a cached page to an upstream that is given up. */
export const timeBounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const

export function createHistogram(bounds: readonly number[] = timeBounds): Histogram {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let sum = 0
  return {
    observe(seconds) {
      let bucket = 0
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? Infinity)) bucket += 1
      counts[bucket] = (counts[bucket] ?? 0) + 1
      sum += seconds
    },
    read: () => ({ counts, sum }),
  }
}
