/**
 * Durations in seconds, counted in buckets. Every request adds one, so the counts are plain
 * numbers.
 */
export type Histogram = {
  observe: (seconds: number) => void
  /** The count of each bucket (the last one has no upper bound), and the sum of all durations. */
  read: () => { counts: readonly number[]; sum: number }
}

/**
 * Upper bounds of the buckets: from the time of a cached page to that of an upstream request that
 * times out.
 */
export const bucketBoundsSeconds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const

export function createHistogram(bounds: readonly number[] = bucketBoundsSeconds): Histogram {
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
