import { currencies, type Currency } from '../../../shared/constants'
import { formatMoney } from '../../../shared/money'
import type { PageData } from '../../../shared/page-data'
import { isPriced, periods, priceOf, type Prices as PlanPrices } from '../../../shared/plans'
import { usePage } from '../../view-context'
import { ButtonLink } from '../ButtonLink'
import { SegmentedControl } from '../forms/SegmentedControl'
import { useTexts } from '../../use-texts'
import s from './PriceTable.module.css'

// `Object.keys` loses the type of the keys.
const currencyCodes = Object.keys(currencies) as Currency[]

type PricesProps = { monthly: PlanPrices; paidMonthsPerYear: number }

/** "$9 a month", but "$9/月": a unit that begins with a slash follows without a space. */
const afterPrice = (unit: string): string => (unit.startsWith('/') ? unit : ` ${unit}`)

/** All prices of a plan; the selected period and currency decide which one is visible. */
function Prices({ monthly, paidMonthsPerYear }: PricesProps) {
  const t = useTexts('pricing')
  return (
    <p className={s['price']}>
      {periods.map((period) => (
        <span key={period} data-period={period}>
          {currencyCodes.map((code) => (
            <strong key={code} data-currency={code}>
              {formatMoney(priceOf(monthly, code, period, paidMonthsPerYear), code, {
                decimals: 0,
              })}
            </strong>
          ))}
          <span className={s['period']}>{afterPrice(t(`per.${period}`))}</span>
        </span>
      ))}
    </p>
  )
}

function PriceControls({ paidMonthsPerYear }: { paidMonthsPerYear: number }) {
  const t = useTexts('pricing')
  const { site } = usePage()
  return (
    <div className={s['controls']}>
      <SegmentedControl
        name="period"
        label={t('period')}
        track="plan-period"
        defaultValue="month"
        options={periods.map((period) => ({
          value: period,
          text: t(`periods.${period}`, { months: paidMonthsPerYear }),
        }))}
      />
      <SegmentedControl
        name="currency"
        label={t('currency')}
        track="plan-currency"
        defaultValue={site.currency}
        options={currencyCodes.map((code) => ({ value: code, text: code }))}
      />
    </div>
  )
}

/**
 * The plans. The page contains all prices, and CSS shows the selected ones, so switching the period
 * or the currency needs no script.
 */
export function PriceTable({ plans, paidMonthsPerYear }: PageData['plans']) {
  const t = useTexts('pricing')
  const { site } = usePage()
  return (
    <div className={s['table']}>
      {plans.some(isPriced) && <PriceControls paidMonthsPerYear={paidMonthsPerYear} />}
      <ul className={s['plans']}>
        {plans.map((plan) => (
          <li key={plan.id} className={s['plan']} data-expose={`plan-${plan.id}`}>
            <h3 className={s['name']}>{t(`plans.${plan.id}.name`)}</h3>
            <p className={s['text']}>{t(`plans.${plan.id}.text`)}</p>
            {plan.monthly && (
              <Prices monthly={plan.monthly} paidMonthsPerYear={paidMonthsPerYear} />
            )}
            <ul className={s['limits']}>
              <li>{t('profiles', { amount: plan.limits.profiles })}</li>
              <li>{t('people', { amount: plan.limits.people })}</li>
            </ul>
            <ButtonLink
              href={site.registerUrl}
              track={`plan-${plan.id}`}
              exposed={false}
              variant={plan.id === 'free' ? 'primary' : 'outline'}
              action="register"
            >
              {t(`plans.${plan.id}.action`)}
            </ButtonLink>
          </li>
        ))}
      </ul>
      <span data-end hidden />
    </div>
  )
}
