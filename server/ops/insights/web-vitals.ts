import type { Database } from '../../db/database'
import { readVitals, type TimeRange, type VitalsRow } from '../../db/insight-rows'
import type { InsightTable } from './insight-table'
import { joinKey } from './tally'

export const vitalNames = ['lcp', 'inp', 'cls'] as const
export type VitalName = (typeof vitalNames)[number]
export type Rating = 'good' | 'fair' | 'poor'

/** Limits of good and fair (web.dev/articles/vitals): LCP and INP in ms, CLS as a score. */
const limits: Readonly<Record<VitalName, readonly [good: number, fair: number]>> = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
}
export const rateVital = (name: VitalName, value: number): Rating =>
  value <= limits[name][0] ? 'good' : value <= limits[name][1] ? 'fair' : 'poor'

/** The 75th percentile (nearest rank); null without samples. */
export function p75(samples: readonly number[]): number | null {
  const sorted = Float64Array.from(samples).sort()
  return sorted[Math.ceil(sorted.length * 0.75) - 1] ?? null
}

/** The 75th percentiles of a route in a language. */
export type VitalSummary = Record<VitalName, number | null> & {
  route: string
  locale: string
  /** Number of measured page views. */
  visits: number
}
type Samples = Record<VitalName, number[]>
const summarize = ({ lcp, inp, cls }: Samples): Record<VitalName, number | null> => ({
  lcp: p75(lcp),
  inp: p75(inp),
  cls: p75(cls),
})

/** Collects the web vitals that visitors' browsers measured, by route and language. */
export function createVitalCounts() {
  const noSamples = (): Samples => ({ lcp: [], inp: [], cls: [] })
  const all = noSamples()
  const groups = new Map<
    string,
    { route: string; locale: string; visits: number; samples: Samples }
  >()
  return {
    add: ({ route, locale, ...values }: VitalsRow): void => {
      const key = joinKey(route, locale)
      const group = groups.get(key) ?? { route, locale, visits: 0, samples: noSamples() }
      groups.set(key, group)
      group.visits += 1
      for (const name of vitalNames) {
        const value = values[name]
        if (value === null) continue
        group.samples[name].push(value)
        all[name].push(value)
      }
    },
    /** The 75th percentiles over all routes. */
    overall: () => summarize(all),
    /** By route and language, most viewed first. */
    summaries: (): VitalSummary[] =>
      [...groups.values()]
        .sort((a, b) => b.visits - a.visits || (a.route < b.route ? -1 : 1))
        .map(({ samples, ...group }) => ({ ...group, ...summarize(samples) })),
  }
}

/** Collects the newest web vitals of a range, in one language or in all (null). */
export async function countVitals(
  database: Database,
  range: TimeRange,
  locale: string | null,
  maxRows: number,
): Promise<ReturnType<typeof createVitalCounts>> {
  const counts = createVitalCounts()
  const isCounted = (row: VitalsRow): boolean => locale === null || row.locale === locale
  for await (const rows of readVitals(database, range, maxRows))
    rows.filter(isCounted).forEach(counts.add)
  return counts
}

export const vitalsTable = (summaries: readonly VitalSummary[]): InsightTable => ({
  id: 'vitals',
  title: 'Web vitals',
  description:
    '75th percentile of what visitors’ browsers measured: three of four visits were at least this good. LCP and INP in ms. Measurements have a language but no country.',
  columns: [
    { name: 'route', kind: 'text' },
    { name: 'language', kind: 'text' },
    { name: 'visits', kind: 'count' },
    { name: 'LCP', kind: 'ms', vital: 'lcp' },
    { name: 'INP', kind: 'ms', vital: 'inp' },
    { name: 'CLS', kind: 'score', vital: 'cls' },
  ],
  rows: summaries.map(({ route, locale, visits, lcp, inp, cls }) => [
    route,
    locale,
    visits,
    lcp,
    inp,
    cls,
  ]),
})
