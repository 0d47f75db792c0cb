import type { Cell, InsightTable } from './insight-table'

export type VitalName = 'lcp' | 'inp' | 'cls'
/** Up to the first number good, up to the second to be improved, above it poor (web.dev/articles/vitals): ms, ms, score. */
const limits: Readonly<Record<VitalName, readonly [number, number]>> = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
}
export const vitalNames = Object.keys(limits) as VitalName[]

export type Verdict = 'good' | 'fair' | 'poor'
export const verdictOf = (name: VitalName, value: number): Verdict =>
  value <= limits[name][0] ? 'good' : value <= limits[name][1] ? 'fair' : 'poor'

/** The value that three quarters of the samples do not exceed (nearest rank); null without samples. */
export function p75(samples: readonly number[]): number | null {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.75) - 1] ?? null
}

type Samples = Record<VitalName, number[]>
export type VitalCounts = {
  add: (route: string, locale: string, values: Readonly<Record<string, unknown>>) => void
  overall: () => Record<VitalName, number | null>
  table: () => InsightTable
}

/** Web vitals by route and language, as the pages of visitors have measured them. */
export function createVitalCounts(): VitalCounts {
  const all: Samples = { lcp: [], inp: [], cls: [] }
  const found = new Map<
    string,
    { route: string; locale: string; visits: number; samples: Samples }
  >()
  const cells = (samples: Samples): Cell[] => vitalNames.map((name) => p75(samples[name]))
  return {
    add(route, locale, values) {
      const key = `${route}\n${locale}`
      const entry = found.get(key) ?? {
        route,
        locale,
        visits: 0,
        samples: { lcp: [], inp: [], cls: [] },
      }
      found.set(key, entry)
      entry.visits += 1
      for (const name of vitalNames) {
        const value = values[name]
        if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) continue
        entry.samples[name].push(value)
        all[name].push(value)
      }
    },
    overall: () => ({ lcp: p75(all.lcp), inp: p75(all.inp), cls: p75(all.cls) }),
    table: () => ({
      id: 'vitals',
      title: 'Web vitals',
      about:
        'p75 of what visitors’ browsers measured: three of four visits were at least this good. LCP and INP in ms.',
      columns: [
        { name: 'route', kind: 'text' },
        { name: 'language', kind: 'text' },
        { name: 'visits', kind: 'count' },
        { name: 'LCP', kind: 'ms', vital: 'lcp' },
        { name: 'INP', kind: 'ms', vital: 'inp' },
        { name: 'CLS', kind: 'score', vital: 'cls' },
      ],
      rows: [...found.values()]
        .sort((a, b) => b.visits - a.visits || (a.route < b.route ? -1 : 1))
        .map(({ route, locale, visits, samples }) => [route, locale, visits, ...cells(samples)]),
    }),
  }
}
