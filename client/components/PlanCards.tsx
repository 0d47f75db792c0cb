import { useTranslation } from 'react-i18next'
import type { Currency } from '../../shared/constants'
import { locales } from '../../shared/i18n/locales'
import { format } from '../../shared/money'
import { plans } from '../../shared/product'
import { usePage } from '../view-context'
import { ButtonLink } from './ButtonLink'
import s from './PlanCards.module.css'

/** The plans with their prices in every currency; which one is seen is the page's choice. */
export function PlanCards({ codes }: { codes: readonly Currency[] }) {
  const { t } = useTranslation('pricing')
  const { locale, site } = usePage()
  const amount = new Intl.NumberFormat(locales[locale].language)
  return (
    <ul className={s['plans']}>
      {plans.map((plan) => (
        <li key={plan.id} className={s['plan']}>
          <h3 className={s['name']}>{t(`plans.${plan.id}.name`)}</h3>
          <p className={s['text']}>{t(`plans.${plan.id}.text`)}</p>
          <p className={s['price']}>
            {codes.map((code) => (
              <strong key={code} data-currency={code}>
                {format(plan.monthly[code], code, { decimals: 0 })}
              </strong>
            ))}{' '}
            <span className={s['month']}>{t('perMonth')}</span>
          </p>
          <ul className={s['holds']}>
            <li suppressHydrationWarning>{t('profiles', { amount: amount.format(plan.profiles) })}</li>
            <li>{t('people', { amount: amount.format(plan.people) })}</li>
          </ul>
          <ButtonLink href={site.registerUrl} look={plan.id === 'free' ? 'main' : 'plain'} action="register">
            {t(`plans.${plan.id}.action`)}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
