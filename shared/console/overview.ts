import { z } from 'zod'
import { localeCodes } from '../i18n/locales'
import { consoleCall, optionalField } from './console-call'

/** Numbers of a period, and of the period of the same length before it. */
export const overviewMetrics = [
  'views',
  'visitors',
  'referrals',
  'downloads',
  'registrations',
  'accounts',
  'messages',
  'errors',
] as const
export type OverviewMetric = (typeof overviewMetrics)[number]

/** Days of UTC (`YYYY-MM-DD`, both included), language, and country (`-` is unknown). */
export const periodFilter = z.object({
  from: optionalField(z.iso.date()),
  to: optionalField(z.iso.date()),
  locale: optionalField(z.enum(localeCodes)),
  country: optionalField(z.string().regex(/^(?:[A-Z]{2}|-)$/)),
})

const group = z.object({ key: z.string(), views: z.number(), visitors: z.number() })
const keyCount = z.object({ key: z.string(), count: z.number(), before: z.number() })
const vital = z.number().nullable()
export type GroupRow = z.infer<typeof group>
export type KeyCount = z.infer<typeof keyCount>
const vitalsRow = z.object({
  route: z.string(),
  locale: z.string(),
  visits: z.number(),
  lcp: vital,
  inp: vital,
  cls: vital,
})
export type VitalsRow = z.infer<typeof vitalsRow>
const errorRow = z.object({
  id: z.string(),
  type: z.string(),
  what: z.string(),
  message: z.string(),
  count: z.number(),
  firstAt: z.number(),
  lastAt: z.number(),
})
export type ErrorRow = z.infer<typeof errorRow>

const overview = z.object({
  from: z.string(),
  to: z.string(),
  /** Events that arrived before this time (ms) are counted; null while none is. */
  countedUntil: z.number().nullable(),
  totals: z.record(z.enum(overviewMetrics), z.object({ now: z.number(), before: z.number() })),
  /** Start of each point in ms, and the counts of views and visitors. */
  series: z.object({
    starts: z.array(z.number()),
    views: z.array(z.number()),
    visitors: z.array(z.number()),
    viewsBefore: z.array(z.number()),
  }),
  funnel: z.array(z.object({ step: z.string(), count: z.number() })),
  locales: z.array(group),
  countries: z.array(group),
  devices: z.array(group),
  pages: z.array(keyCount),
  referrers: z.array(keyCount),
  campaigns: z.array(keyCount),
  downloads: z.array(keyCount),
  vitals: z.array(vitalsRow),
  errors: z.array(errorRow),
})
export type Overview = z.infer<typeof overview>

export const readOverview = consoleCall({
  method: 'GET',
  path: '/overview',
  input: periodFilter,
  output: overview,
})
