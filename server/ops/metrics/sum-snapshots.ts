import type { MetricFamily, Sample } from './metric-family'

const sampleKey = ({ metricName, labels }: Sample): string =>
  JSON.stringify([metricName, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])

/**
 * Adds up the counters and histograms of processes that have ended. Gauges are left out, because
 * they described a moment.
 */
export function sumSnapshots(snapshots: ReadonlyArray<readonly MetricFamily[]>): MetricFamily[] {
  const sums = new Map<string, { family: MetricFamily; samples: Map<string, Sample> }>()
  for (const family of snapshots.flat()) {
    const isCumulative = family.type === 'counter' || family.type === 'histogram'
    if (family.aggregator !== 'sum' || !isCumulative) continue
    const sum = sums.get(family.name) ?? { family, samples: new Map<string, Sample>() }
    sums.set(family.name, sum)
    for (const sample of family.values) {
      const key = sampleKey(sample)
      const value = (sum.samples.get(key)?.value ?? 0) + sample.value
      sum.samples.set(key, { ...sample, value })
    }
  }
  return [...sums.values()].map(({ family, samples }) => ({
    ...family,
    values: [...samples.values()],
  }))
}
