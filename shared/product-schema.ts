import { z } from 'zod'
import { currencies, type Currency } from './constants'
import { planFeatures, planIds, type Plan } from './plans'

const text = z.string().trim().min(1)
const count = z.int('a whole number').min(1, 'at least 1').max(1_000_000, 'at most 1000000')
const amount = z.int('a whole number').min(0, 'at least 0').max(1_000_000_000_000)

// The casts restore the keys' type: `Object.keys` and `Object.fromEntries` lose it.
const prices = z.strictObject(
  Object.fromEntries(Object.keys(currencies).map((code) => [code, amount])) as Record<
    Currency,
    typeof amount
  >,
)

const plan = z.strictObject({
  profiles: count,
  people: count,
  /** Days that the activity log is kept; 0 = no activity log. */
  log_days: z.int('a whole number').min(0, 'at least 0').max(36_500, 'at most 36500'),
  features: z.array(z.enum(planFeatures, `one of ${planFeatures.join(', ')}`)),
  /** Price of one month without tax, in whole units of the currency. */
  monthly: prices.optional(),
})

/** `content/product.yaml` (spec 9.8): the facts that pages, texts and structured data share. */
export const productSchema = z.strictObject({
  plans: z.partialRecord(z.enum(planIds, `one of ${planIds.join(', ')}`), plan).default({}),
  /** Whether prices and limits are the examples that the site is delivered with. */
  sample_prices: z.boolean().default(false),
  /** A year costs this many months. */
  paid_months_per_year: z
    .int('a whole number')
    .min(1, 'at least 1')
    .max(12, 'at most 12')
    .default(12),
  /** Share of the payments of a referred customer. */
  referral: z
    .strictObject({ percent: z.number().min(0, 'at least 0').max(100, 'at most 100') })
    .default({ percent: 0 }),
  systems: z.array(z.strictObject({ name: text, editions: z.array(text).default([]) })).default([]),
  unsupported_systems: z.array(text).default([]),
  does: z.array(text).default([]),
  does_not: z.array(text).default([]),
  defaults: z.record(z.string(), text).default({}),
  never_say: z
    .array(z.strictObject({ pattern: text, unless: text.optional(), reason: text }))
    .default([]),
})
export type Product = z.infer<typeof productSchema>

/** The plans that the file has, from the smallest. */
export const plansOf = ({ plans }: Pick<Product, 'plans'>): Plan[] =>
  planIds.flatMap((id) => {
    const found = plans[id]
    if (!found) return []
    const { log_days: logDays, monthly, ...rest } = found
    return [{ id, logDays, ...rest, ...(monthly ? { monthly } : {}) }]
  })
