import { useState } from 'react'
import { locales } from '../../../shared/i18n/locales'
import { formatMoney } from '../../../shared/money'
import {
  isPriced,
  referralEarnings,
  type Plan,
  type PlanId,
  type PricedPlan,
} from '../../../shared/plans'
import { usePage } from '../../view-context'
import { Field } from '../forms/Field'
import { useTexts } from '../../use-texts'
import s from './EarningsCalculator.module.css'

type PaidPlan = PricedPlan & { id: Exclude<PlanId, 'free'> }
const isPaid = (plan: Plan): plan is PaidPlan => isPriced(plan) && plan.id !== 'free'
/** Numbers of customers that the calculator accepts. */
const [min, max, initial] = [1, 10_000, 10] as const

/** A whole number of customers within bounds, otherwise null. */
function parseCustomers(text: string): number | null {
  const value = Number(text)
  return text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : null
}

type InputProps<T> = { value: T; onChange: (value: T) => void }

function CustomersField({ value, onChange }: InputProps<string>) {
  const t = useTexts('referral-program')
  const { locale } = usePage()
  return (
    <Field
      label={t('calculator.customers')}
      error={
        parseCustomers(value) === null
          ? t('calculator.error', {
              min,
              max: new Intl.NumberFormat(locales[locale].language).format(max),
            })
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

function PlanField({
  plans,
  value,
  onChange,
}: InputProps<PaidPlan['id']> & { plans: readonly PaidPlan[] }) {
  const t = useTexts('referral-program')
  const { currency } = usePage().site
  return (
    <Field label={t('calculator.plan')}>
      {(field) => (
        <select
          {...field}
          value={value}
          onChange={(event) =>
            onChange(plans.find(({ id }) => id === event.target.value)?.id ?? value)
          }
          name="plan"
        >
          {plans.map(({ id, monthly }) => (
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

type CalculatorProps = { plans: readonly Plan[]; percent: number }

/** Monthly earnings from referred customers. The server renders an example calculation. */
export function EarningsCalculator({ plans, percent }: CalculatorProps) {
  const t = useTexts('referral-program')
  const { currency } = usePage().site
  const [text, setText] = useState(String(initial))
  const [planId, setPlanId] = useState<PaidPlan['id']>('team')
  const paidPlans = plans.filter(isPaid)
  const customers = parseCustomers(text)
  const plan = paidPlans.find(({ id }) => id === planId) ?? paidPlans[0]
  const earnings =
    plan && customers !== null ? referralEarnings(customers, plan.monthly, currency, percent) : null
  return (
    <div className={s['calculator']}>
      <div className={s['inputs']}>
        <CustomersField value={text} onChange={setText} />
        <PlanField plans={paidPlans} value={planId} onChange={setPlanId} />
      </div>
      <output className={s['result']} name="earnings">
        <span className={s['amount']}>
          {earnings === null ? '–' : formatMoney(earnings, currency, { decimals: 0 })}
        </span>
        <span className={s['note']}>{t('calculator.result', { percent })}</span>
      </output>
    </div>
  )
}
