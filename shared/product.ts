/** Numbers of the product itself: plans, what they hold and cost. Texts refer to this file, and nothing repeats it. */
import type { Currency } from './constants'

export type PlanId = 'free' | 'solo' | 'team' | 'business'
/** What a plan may hold besides profiles and people; the order is that of the table. */
export const planFeatures = ['fingerprint', 'synchroniser', 'rpa', 'api', 'roles'] as const
export type PlanFeature = (typeof planFeatures)[number]

export type Plan = {
  id: PlanId
  profiles: number
  people: number
  /** Days for which the activity log is kept; 0 = there is none. */
  logDays: number
  features: readonly PlanFeature[]
  /** For one month, without tax, in whole units. */
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
export const monthsPaidAYear = 10

/** What a plan costs for a month or a whole year, without tax, in whole units. */
export const priceOf = (plan: Plan, currency: Currency, period: Period): number =>
  plan.monthly[currency] * (period === 'year' ? monthsPaidAYear : 1)

/** Referral program: a number to start with, which the operator changes here; texts and the calculator read it. */
export const referral = {
  /** Share of what a referred customer pays. */
  commission: 0.2,
  /** Bounds of the calculator's number of customers, and what it first shows. */
  customers: { min: 1, max: 10_000, initial: 10 },
} as const

/** What customers on a plan earn for the one who referred them, in one month, in whole units, never rounded up. */
export const referralEarnings = (customers: number, plan: Plan, currency: Currency): number =>
  Math.floor(customers * plan.monthly[currency] * referral.commission + 1e-9)
