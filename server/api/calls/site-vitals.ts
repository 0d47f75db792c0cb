import { z } from 'zod'
import { maxVitals } from '../../../shared/constants'
import { routeById } from '../../../shared/routes/table'
import { recordVitals } from '../../db/visitor-store'
import { defineCall } from '../define-call'
import { localeField } from '../input-fields'
import { isTrackingAllowed } from '../visitor/tracking-consent'

const measurement = (max: number) => {
  const accepted = `a number from 0 to ${max}`
  return z
    .number(accepted)
    .min(0, accepted)
    .max(max, accepted)
    .optional()
    .transform((value) => value ?? null)
}

/**
 * `POST /api/site/vitals`: the web vitals of one page view. They are stored without anything that
 * identifies a visitor. `stored` is false when nothing was measured, or when the visitor does not
 * allow measuring.
 */
export const siteVitals = defineCall({
  method: 'POST',
  path: '/site/vitals',
  rateLimit: 'visitor',
  inputFrom: 'json',
  input: z.object({
    route: z.string('a route id').refine((id) => routeById.has(id), 'no such route'),
    locale: localeField,
    lcp: measurement(maxVitals.ms),
    inp: measurement(maxVitals.ms),
    cls: measurement(maxVitals.cls),
    fcp: measurement(maxVitals.ms),
    ttfb: measurement(maxVitals.ms),
  }),
  createHandler:
    ({ database, store, reserveRows }) =>
    async ({ route, locale, ...values }, context) => {
      const isMeasured = Object.values(values).some((value) => value !== null)
      if (!isMeasured || !isTrackingAllowed(context, store.siteConfig())) return { stored: false }
      const vitals = { route, locale, ...values }
      await reserveRows('visitor', context.address, JSON.stringify(vitals))
      await recordVitals(database, vitals)
      return { stored: true }
    },
})
