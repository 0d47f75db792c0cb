import type { Cell, InsightTable } from './insight-table'
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
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.75) - 1] ?? null
}

type Samples = Record<VitalName, number[]>
type RouteSamples = { route: string; locale: string; visits: number; samples: Samples }
export type VitalCounts = {
  add: (route: string, locale: string, values: Readonly<Record<string, unknown>>) => void
  /** The 75th percentile over all routes. */
  overall: () => Record<VitalName, number | null>
  table: () => InsightTable
}

const noSamples = (): Samples => ({ lcp: [], inp: [], cls: [] })
const isMeasurement = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0

/** Collects the web vitals that visitors' browsers measured, by route and language. */
export function createVitalCounts(): VitalCounts {
  const all = noSamples()
  const byRoute = new Map<string, RouteSamples>()
  const cells = (samples: Samples): Cell[] => vitalNames.map((name) => p75(samples[name]))
  return {
    add(route, locale, values) {
      const key = joinKey(route, locale)
      const entry = byRoute.get(key) ?? { route, locale, visits: 0, samples: noSamples() }
      byRoute.set(key, entry)
      entry.visits += 1
      for (const name of vitalNames) {
        const value = values[name]
        if (!isMeasurement(value)) continue
        entry.samples[name].push(value)
        all[name].push(value)
      }
    },
    overall: () => ({ lcp: p75(all.lcp), inp: p75(all.inp), cls: p75(all.cls) }),
    table: () => ({
      id: 'vitals',
      title: 'Web vitals',
      description:
        '75th percentile of what visitors’ browsers measured: three of four visits were at least this good. LCP and INP in ms.',
      columns: [
        { name: 'route', kind: 'text' },
        { name: 'language', kind: 'text' },
        { name: 'visits', kind: 'count' },
        { name: 'LCP', kind: 'ms', vital: 'lcp' },
        { name: 'INP', kind: 'ms', vital: 'inp' },
        { name: 'CLS', kind: 'score', vital: 'cls' },
      ],
      rows: [...byRoute.values()]
        .sort((a, b) => b.visits - a.visits || (a.route < b.route ? -1 : 1))
        .map(({ route, locale, visits, samples }) => [route, locale, visits, ...cells(samples)]),
    }),
  }
}
