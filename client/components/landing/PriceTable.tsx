import { useTranslation } from 'react-i18next'
import { currencies, type Currency } from '../../../shared/constants'
import { locales } from '../../../shared/i18n/locales'
import { format } from '../../../shared/money'
import { monthsPaidAYear, periods, plans, priceOf, type Plan } from '../../../shared/product'
import { usePage } from '../../view-context'
import { ButtonLink } from '../ButtonLink'
import { Choice } from '../forms/Choice'
import s from './PriceTable.module.css'

const codes = Object.keys(currencies) as Currency[]

/** Every price of a plan; which one is seen is the choice above. */
function Prices({ plan }: { plan: Plan }) {
  const { t } = useTranslation('pricing')
  return (
    <p className={s['price']}>
      {periods.map((period) => (
        <span key={period} data-period={period}>
          {codes.map((code) => (
            <strong key={code} data-currency={code}>
              {format(priceOf(plan, code, period), code, { decimals: 0 })}
            </strong>
          ))}{' '}
          <span className={s['period']}>{t(`per.${period}`)}</span>
        </span>
      ))}
    </p>
  )
}

/** The plans. All prices are in the page and one is shown: the choices need neither script nor another page. */
export function PriceTable() {
  const { t } = useTranslation('pricing')
  const { locale, site } = usePage()
  const amount = new Intl.NumberFormat(locales[locale].language)
  return (
    <div className={s['table']}>
      <div className={s['choices']}>
        <Choice
          name="period"
          label={t('period')}
          first="month"
          options={periods.map((period) => ({
            value: period,
            text: t(`periods.${period}`, { months: monthsPaidAYear }),
          }))}
        />
        <Choice
          name="currency"
          label={t('currency')}
          first={site.currency}
          options={codes.map((code) => ({ value: code, text: code }))}
        />
      </div>
      <ul className={s['plans']}>
        {plans.map((plan) => (
          <li key={plan.id} className={s['plan']}>
            <h3 className={s['name']}>{t(`plans.${plan.id}.name`)}</h3>
            <p className={s['text']}>{t(`plans.${plan.id}.text`)}</p>
            <Prices plan={plan} />
            <ul className={s['holds']}>
              <li suppressHydrationWarning>
                {t('profiles', { amount: amount.format(plan.profiles) })}
              </li>
              <li>{t('people', { amount: amount.format(plan.people) })}</li>
            </ul>
            <ButtonLink
              href={site.registerUrl}
              look={plan.id === 'free' ? 'main' : 'plain'}
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
