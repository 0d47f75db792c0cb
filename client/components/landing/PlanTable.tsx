import { useTranslation } from 'react-i18next'
import { locales } from '../../../shared/i18n/locales'
import { planFeatures, plans, type Plan } from '../../../shared/product'
import { usePage } from '../../view-context'
import { Icon } from '../Icon'
import s from './PlanTable.module.css'

/** A feature that a plan has or lacks: a mark for the eye, words for the rest. */
function Included({ yes }: { yes: boolean }) {
  const { t } = useTranslation('pricing')
  return (
    <>
      {yes ? (
        <Icon name="check" size={22} className={s['yes']} />
      ) : (
        <span aria-hidden="true">–</span>
      )}
      <span className="sr-only">{yes ? t('compare.yes') : t('compare.no')}</span>
    </>
  )
}

export function PlanTable() {
  const { t } = useTranslation('pricing')
  const { locale } = usePage()
  const amount = new Intl.NumberFormat(locales[locale].language)
  const numbers: ReadonlyArray<{ label: string; of: (plan: Plan) => number }> = [
    { label: t('compare.profiles'), of: (plan) => plan.profiles },
    { label: t('compare.people'), of: (plan) => plan.people },
    { label: t('compare.log'), of: (plan) => plan.logDays },
  ]
  return (
    <table className={s['table']}>
      <caption className="sr-only">{t('compare.caption')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('compare.feature')}</th>
          {plans.map((plan) => (
            <th key={plan.id} scope="col">
              {t(`plans.${plan.id}.name`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbers.map((row) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            {plans.map((plan) => (
              <td key={plan.id} suppressHydrationWarning>
                {row.of(plan) > 0 ? amount.format(row.of(plan)) : <Included yes={false} />}
              </td>
            ))}
          </tr>
        ))}
        {planFeatures.map((feature) => (
          <tr key={feature}>
            <th scope="row">{t(`compare.${feature}`)}</th>
            {plans.map((plan) => (
              <td key={plan.id}>
                <Included yes={plan.features.includes(feature)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
