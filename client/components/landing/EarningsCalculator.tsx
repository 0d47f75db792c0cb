import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { locales } from '../../../shared/i18n/locales'
import { formatMoney } from '../../../shared/money'
import { plans, referral, referralEarnings, type Plan, type PlanId } from '../../../shared/product'
import { usePage } from '../../view-context'
import { Field } from '../forms/Field'
import s from './EarningsCalculator.module.css'

type PaidPlan = Plan & { id: Exclude<PlanId, 'free'> }
const paidPlans = plans.filter((plan): plan is PaidPlan => plan.id !== 'free')
const { min, max, initial } = referral.customers

/** A whole number of customers within bounds, otherwise null. */
function parseCustomers(text: string): number | null {
  const value = Number(text)
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : null
}

type InputProps<T> = { value: T; onChange: (value: T) => void }

function CustomersField({ value, onChange }: InputProps<string>) {
  const { t } = useTranslation('referral-program')
  const { locale } = usePage()
  const numberFormat = new Intl.NumberFormat(locales[locale].language)
  return (
    <Field
      label={t('calculator.customers')}
      error={
        parseCustomers(value) === null
          ? t('calculator.error', { min, max: numberFormat.format(max) })
          : undefined
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
          value={value}
          onChange={(event) => onChange(event.target.value)}
          name="customers"
        />
      )}
    </Field>
  )
}

function PlanField({ value, onChange }: InputProps<PaidPlan['id']>) {
  const { t } = useTranslation('referral-program')
  const { currency } = usePage().site
  return (
    <Field label={t('calculator.plan')}>
      {(field) => (
        <select
          {...field}
          value={value}
          onChange={(event) =>
            onChange(paidPlans.find(({ id }) => id === event.target.value)?.id ?? value)
          }
          name="plan"
        >
          {paidPlans.map(({ id, monthly }) => (
            <option key={id} value={id}>
              {t('calculator.option', {
                plan: t(`calculator.plans.${id}`),
                price: formatMoney(monthly[currency], currency, { decimals: 0 }),
              })}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Monthly earnings from referred customers. The server renders an example calculation. */
export function EarningsCalculator() {
  const { t } = useTranslation('referral-program')
  const { currency } = usePage().site
  const [text, setText] = useState(String(initial))
  const [planId, setPlanId] = useState<PaidPlan['id']>('team')
  const customers = parseCustomers(text)
  const plan = paidPlans.find(({ id }) => id === planId)
  const earnings = plan && customers !== null ? referralEarnings(customers, plan, currency) : null
  return (
    <div className={s['calculator']}>
      <div className={s['inputs']}>
        <CustomersField value={text} onChange={setText} />
        <PlanField value={planId} onChange={setPlanId} />
      </div>
      <output className={s['result']} name="earnings">
        <span className={s['amount']}>
          {earnings === null ? '–' : formatMoney(earnings, currency, { decimals: 0 })}
        </span>
        <span className={s['note']}>
          {t('calculator.result', { percent: Math.round(referral.commission * 100) })}
        </span>
      </output>
    </div>
  )
}
