import type { Database } from '../../db/database'
import { readVitals, type TimeRange, type VitalsRow } from '../../db/insight-rows'
import type { InsightTable } from './insight-table'
import { joinKey } from './tally'

const vitalNames = ['lcp', 'inp', 'cls'] as const
type VitalName = (typeof vitalNames)[number]

/** The 75th percentile (nearest rank); null without samples. */
export function p75(samples: readonly number[]): number | null {
  const sorted = Float64Array.from(samples).sort()
  return sorted[Math.ceil(sorted.length * 0.75) - 1] ?? null
}

/** The 75th percentiles of a route in a language. */
type VitalSummary = Record<VitalName, number | null> & {
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
        if (value !== null) group.samples[name].push(value)
      }
    },
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
  columns: ['route', 'language', 'visits', 'LCP', 'INP', 'CLS'],
  rows: summaries.map(({ route, locale, visits, lcp, inp, cls }) => [
    route,
    locale,
    visits,
    lcp,
    inp,
    cls,
  ]),
})
