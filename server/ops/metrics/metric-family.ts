import { z } from 'zod'
import { bucketBoundsSeconds, type Histogram } from '../../telemetry/histogram'

/**
 * A metric with its samples, in the JSON form that prom-client exchanges between processes.
 * `aggregator` says how the samples of several processes are combined.
 */
export const familySchema = z.object({
  name: z.string(),
  help: z.string(),
  type: z.enum(['counter', 'gauge', 'histogram', 'summary']),
  aggregator: z.enum(['sum', 'first', 'min', 'max', 'average', 'omit']),
  values: z.array(
    z.object({
      // prom-client reports NaN for the mean of an empty histogram.
      value: z
        .number()
        .or(z.nan())
        .transform((value) => (Number.isFinite(value) ? value : 0)),
      labels: z.record(z.string(), z.union([z.string(), z.number()])),
      metricName: z.string().optional(),
    }),
  ),
})
export type MetricFamily = z.infer<typeof familySchema>
export type Sample = MetricFamily['values'][number]

/** Parses families that another process stored as JSON; null when they have another form. */
export function parseFamilies(json: string): MetricFamily[] | null {
  const parsed = z.array(familySchema).safeParse(JSON.parse(json))
  return parsed.success ? parsed.data : null
}

export const counter = (name: string, help: string, values: Sample[]): MetricFamily => ({
  name,
  help,
  type: 'counter',
  aggregator: 'sum',
  values,
})

/** Gauges of several processes are added up unless `aggregator` says otherwise. */
export const gauge = (
  name: string,
  help: string,
  values: Sample[],
  aggregator: MetricFamily['aggregator'] = 'sum',
): MetricFamily => ({ name, help, type: 'gauge', aggregator, values })

/** A histogram with one series per value of `label`. */
export function histogram(
  name: string,
  help: string,
  label: string,
  series: ReadonlyArray<{ value: string; histogram: Histogram }>,
): MetricFamily {
  const values = series.flatMap(({ value, histogram: durations }): Sample[] => {
    const { counts, sum } = durations.read()
    const labels = { [label]: value }
    // Prometheus buckets are cumulative.
    let total = 0
    const buckets = counts.map((count, index): Sample => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: bucketBoundsSeconds[index] ?? '+Inf' },
      value: (total += count),
    }))
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ]
  })
  return { name, help, type: 'histogram', aggregator: 'sum', values }
}
