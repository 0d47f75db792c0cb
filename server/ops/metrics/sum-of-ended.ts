import type { Family } from './metric-families'

/** Adds up counters and histograms of processes that have ended; what was only true of their moment (gauges) is left out. */
export function sumOfEnded(snapshots: ReadonlyArray<readonly Family[]>): Family[] {
  const sums = new Map<string, Family & { samples: Map<string, Family['values'][number]> }>()
  for (const one of snapshots.flat()) {
    if (one.aggregator !== 'sum' || (one.type !== 'counter' && one.type !== 'histogram')) continue
    const known = sums.get(one.name) ?? { ...one, values: [], samples: new Map() }
    sums.set(one.name, known)
    for (const sample of one.values) {
      const key = JSON.stringify([
        sample.metricName,
        Object.entries(sample.labels).sort(([a], [b]) => (a < b ? -1 : 1)),
      ])
      known.samples.set(key, {
        ...sample,
        value: (known.samples.get(key)?.value ?? 0) + sample.value,
      })
    }
  }
  return [...sums.values()].map(({ samples, ...rest }) => ({
    ...rest,
    values: [...samples.values()],
  }))
}
