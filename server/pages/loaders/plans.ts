import type { PageData } from '../../../shared/page-data'
import { plansOf } from '../../../shared/product-schema'
import type { LoadContext } from './context'

/** The plans, for pages that show or calculate prices. */
export function loadPlans({ store }: LoadContext): PageData['plans'] {
  const product = store.product()
  return {
    plans: plansOf(product),
    paidMonthsPerYear: product.paid_months_per_year,
    referralPercent: product.referral.percent,
  }
}
