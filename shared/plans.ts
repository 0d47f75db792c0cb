/** Plans as pages show them, and what follows from their prices. */
import type { Currency } from './constants'

/** The plans that the site has texts for, from the smallest. */
export const planIds = ['free', 'solo', 'team', 'business'] as const
/** Features that a plan may include, in the order of the price table. */
export const planFeatures = ['fingerprint', 'synchroniser', 'rpa', 'api', 'roles'] as const

export type PlanId = (typeof planIds)[number]
export type PlanFeature = (typeof planFeatures)[number]
export type Prices = Readonly<Record<Currency, number>>
export type Plan = {
  id: PlanId
  profiles: number
  people: number
  /** Days that the activity log is kept; 0 = no activity log. */
  logDays: number
  features: readonly PlanFeature[]
  /** Price of one month without tax, in whole units. Absent: pages show no price. */
  monthly?: Prices
}
export type PricedPlan = Plan & { monthly: Prices }

export const periods = ['month', 'year'] as const
export type Period = (typeof periods)[number]

/** Price for a month or a year without tax, in whole units of the currency. */
export const priceOf = (
  monthly: Prices,
  currency: Currency,
  period: Period,
  paidMonthsPerYear: number,
): number => monthly[currency] * (period === 'year' ? paidMonthsPerYear : 1)

export const isPriced = (plan: Plan): plan is PricedPlan => plan.monthly !== undefined

/**
 * Monthly commission for a number of customers, in whole units of the currency, never rounded up.
 */
export const referralEarnings = (
  customers: number,
  monthly: Prices,
  currency: Currency,
  percent: number,
): number => Math.floor((customers * monthly[currency] * percent) / 100 + 1e-9)
