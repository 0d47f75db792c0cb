import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { isPriced, type PlanId, type PricedPlan } from '../shared/plans'
import { plansOf, productSchema } from '../shared/product-schema'
import { root } from './root'

/** The facts that the site is delivered with. */
export const product = productSchema.parse(
  parse(readFileSync(join(root, 'content', 'product.yaml'), 'utf8')),
)

export function planOf(id: PlanId): PricedPlan {
  const plan = plansOf(product).find((one) => one.id === id)
  if (!plan || !isPriced(plan)) throw new Error(`content/product.yaml has no price of ${id}`)
  return plan
}
