import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { locales } from '../../../shared/i18n/locales'
import { format } from '../../../shared/money'
import { plans, referral, referralEarnings, type Plan, type PlanId } from '../../../shared/product'
import { usePage } from '../../view-context'
import { Field } from '../forms/Field'
import s from './EarningsCalculator.module.css'

type PaidPlan = Plan & { id: Exclude<PlanId, 'free'> }
const paid = plans.filter((plan): plan is PaidPlan => plan.id !== 'free')
const { min, max, initial } = referral.customers

/** Whole customers within bounds, or null. */
function customersOf(text: string): number | null {
  const value = Number(text)
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : null
}

/** What referred customers would earn. The server renders a sensible example, the browser the visitor's own numbers. */
export function EarningsCalculator() {
  const { t } = useTranslation('referral-program')
  const { locale, site } = usePage()
  const [text, setText] = useState(String(initial))
  const [planId, setPlanId] = useState<PaidPlan['id']>('team')
  const customers = customersOf(text)
  const plan = paid.find(({ id }) => id === planId)
  const number = new Intl.NumberFormat(locales[locale].language)
  const money = (amount: number): string => format(amount, site.currency, { decimals: 0 })
  const earned =
    plan && customers !== null ? referralEarnings(customers, plan, site.currency) : null
  return (
    <div className={s['calculator']}>
      <div className={s['inputs']}>
        <Field
          label={t('calculator.customers')}
          error={
            customers === null ? t('calculator.error', { min, max: number.format(max) }) : undefined
          }
        >
          {(field) => (
            <input
              {...field}
              type="number"
              min={min}
              max={max}
              step={1}
              inputMode="numeric"
              autoComplete="off"
              value={text}
              onChange={(event) => setText(event.target.value)}
              name="customers"
            />
          )}
        </Field>
        <Field label={t('calculator.plan')}>
          {(field) => (
            <select
              {...field}
              value={planId}
              onChange={(event) =>
                setPlanId(paid.find(({ id }) => id === event.target.value)?.id ?? planId)
              }
              name="plan"
            >
              {paid.map(({ id, monthly }) => (
                <option key={id} value={id}>
                  {t('calculator.option', {
                    plan: t(`calculator.plans.${id}`),
                    price: money(monthly[site.currency]),
                  })}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <output className={s['result']} name="earnings">
        <span className={s['amount']}>{earned === null ? '–' : money(earned)}</span>
        <span className={s['note']}>
          {t('calculator.result', { percent: Math.round(referral.commission * 100) })}
        </span>
      </output>
    </div>
  )
}
