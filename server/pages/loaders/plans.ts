import { locales } from '../../../shared/i18n/locales'
import type { PageData } from '../../../shared/page-data'
import { plansOf } from '../../../shared/product-schema'
import type { LoadContext } from './context'

/** The plans, for pages that show or calculate prices. */
export function loadPlans({ store, locale }: LoadContext): PageData['plans'] {
  const product = store.product()
  const numberFormat = new Intl.NumberFormat(locales[locale].language)
  return {
    plans: plansOf(product).map((plan) => ({
      ...plan,
      limits: {
        profiles: numberFormat.format(plan.profiles),
        people: numberFormat.format(plan.people),
        logDays: numberFormat.format(plan.logDays),
      },
    })),
    paidMonthsPerYear: product.paid_months_per_year,
    referralPercent: product.referral.percent,
  }
}
