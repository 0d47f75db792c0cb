/** Plans of the product and their prices. Texts take these numbers from here. */
import type { Currency } from './constants'

export type PlanId = 'free' | 'solo' | 'team' | 'business'
/** Features that a plan may include, in the order of the price table. */
export const planFeatures = ['fingerprint', 'synchroniser', 'rpa', 'api', 'roles'] as const
export type PlanFeature = (typeof planFeatures)[number]

export type Plan = {
  id: PlanId
  profiles: number
  people: number
  /** Days that the activity log is kept; 0 = no activity log. */
  logDays: number
  features: readonly PlanFeature[]
  /** Price of one month without tax, in whole units of the currency. */
  monthly: Readonly<Record<Currency, number>>
}

export const plans: readonly Plan[] = [
  {
    id: 'free',
    profiles: 3,
    people: 1,
    logDays: 0,
    features: ['fingerprint'],
    monthly: { USD: 0, BRL: 0, PLN: 0, VND: 0 },
  },
  {
    id: 'solo',
    profiles: 30,
    people: 1,
    logDays: 7,
    features: ['fingerprint', 'synchroniser', 'rpa', 'api'],
    monthly: { USD: 9, BRL: 49, PLN: 35, VND: 229000 },
  },
  {
    id: 'team',
    profiles: 150,
    people: 5,
    logDays: 30,
    features: planFeatures,
    monthly: { USD: 39, BRL: 199, PLN: 149, VND: 990000 },
  },
  {
    id: 'business',
    profiles: 1000,
    people: 20,
    logDays: 365,
    features: planFeatures,
    monthly: { USD: 149, BRL: 799, PLN: 589, VND: 3790000 },
  },
]

export const periods = ['month', 'year'] as const
export type Period = (typeof periods)[number]
/** A year costs this many months. */
export const paidMonthsPerYear = 10

/** Price of a plan for a month or a year without tax, in whole units of the currency. */
export const priceOf = (plan: Plan, currency: Currency, period: Period): number =>
  plan.monthly[currency] * (period === 'year' ? paidMonthsPerYear : 1)

/** Referral program: the operator changes these numbers; texts and the calculator read them. */
export const referral = {
  /** Share of the payments of a referred customer. */
  commission: 0.2,
  /** Number of customers in the calculator. */
  customers: { min: 1, max: 10_000, initial: 10 },
} as const

/**
 * Monthly commission for a number of customers on a plan, in whole units of the currency, never
 * rounded up.
 */
export const referralEarnings = (customers: number, plan: Plan, currency: Currency): number =>
  Math.floor(customers * plan.monthly[currency] * referral.commission + 1e-9)
