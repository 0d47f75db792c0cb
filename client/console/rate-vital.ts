/** Limits of good and fair (web.dev/articles/vitals). */
const limits = { lcp: [2500, 4000], inp: [200, 500], cls: [0.1, 0.25] } as const
export type VitalName = keyof typeof limits

/** A 75th percentile with its unit, and its rating where it is not good. */
export function rateVital(name: VitalName, value: number | null): string {
  if (value === null) return '–'
  const text = name === 'cls' ? value.toFixed(2) : `${Math.round(value)} ms`
  const [good, fair] = limits[name]
  return value <= good ? text : `${text} ${value <= fair ? '▲ fair' : '✕ poor'}`
}
