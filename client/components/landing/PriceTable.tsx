import { useTranslation } from 'react-i18next'
import { currencies, type Currency } from '../../../shared/constants'
import { locales } from '../../../shared/i18n/locales'
import { formatMoney } from '../../../shared/money'
import { paidMonthsPerYear, periods, plans, priceOf, type Plan } from '../../../shared/product'
import { usePage } from '../../view-context'
import { ButtonLink } from '../ButtonLink'
import { SegmentedControl } from '../forms/SegmentedControl'
import s from './PriceTable.module.css'

// `Object.keys` loses the type of the keys.
const currencyCodes = Object.keys(currencies) as Currency[]

/** All prices of a plan; the selected period and currency decide which one is visible. */
function Prices({ plan }: { plan: Plan }) {
  const { t } = useTranslation('pricing')
  return (
    <p className={s['price']}>
      {periods.map((period) => (
        <span key={period} data-period={period}>
          {currencyCodes.map((code) => (
            <strong key={code} data-currency={code}>
              {formatMoney(priceOf(plan, code, period), code, { decimals: 0 })}
            </strong>
          ))}{' '}
          <span className={s['period']}>{t(`per.${period}`)}</span>
        </span>
      ))}
    </p>
  )
}

/**
 * The plans. The page contains all prices, and CSS shows the selected ones, so switching the period
 * or the currency needs no script.
 */
export function PriceTable() {
  const { t } = useTranslation('pricing')
  const { locale, site } = usePage()
  const numberFormat = new Intl.NumberFormat(locales[locale].language)
  return (
    <div className={s['table']}>
      <div className={s['controls']}>
        <SegmentedControl
          name="period"
          label={t('period')}
          defaultValue="month"
          options={periods.map((period) => ({
            value: period,
            text: t(`periods.${period}`, { months: paidMonthsPerYear }),
          }))}
        />
        <SegmentedControl
          name="currency"
          label={t('currency')}
          defaultValue={site.currency}
          options={currencyCodes.map((code) => ({ value: code, text: code }))}
        />
      </div>
      <ul className={s['plans']}>
        {plans.map((plan) => (
          <li key={plan.id} className={s['plan']}>
            <h3 className={s['name']}>{t(`plans.${plan.id}.name`)}</h3>
            <p className={s['text']}>{t(`plans.${plan.id}.text`)}</p>
            <Prices plan={plan} />
            <ul className={s['limits']}>
              <li suppressHydrationWarning>
                {t('profiles', { amount: numberFormat.format(plan.profiles) })}
              </li>
              <li>{t('people', { amount: numberFormat.format(plan.people) })}</li>
            </ul>
            <ButtonLink
              href={site.registerUrl}
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
