import { locales } from '../../../shared/i18n/locales'
import { planFeatures, type Plan } from '../../../shared/plans'
import { usePage } from '../../view-context'
import { Icon } from '../Icon'
import { useTexts } from '../../use-texts'
import s from './PlanTable.module.css'

/** Whether a plan includes a feature: an icon, and text for screen readers. */
function Included({ isIncluded }: { isIncluded: boolean }) {
  const t = useTexts('pricing')
  return (
    <>
      {isIncluded ? (
        <Icon name="check" size={22} className={s['check']} />
      ) : (
        <span aria-hidden="true">–</span>
      )}
      <span className="sr-only">{isIncluded ? t('compare.yes') : t('compare.no')}</span>
    </>
  )
}

export function PlanTable({ plans }: { plans: readonly Plan[] }) {
  const t = useTexts('pricing')
  const { locale } = usePage()
  const numberFormat = new Intl.NumberFormat(locales[locale].language)
  const limits: ReadonlyArray<{ label: string; limitOf: (plan: Plan) => number }> = [
    { label: t('compare.profiles'), limitOf: (plan) => plan.profiles },
    { label: t('compare.people'), limitOf: (plan) => plan.people },
    { label: t('compare.log'), limitOf: (plan) => plan.logDays },
  ]
  return (
    <table className={s['table']} data-expose="plan-table">
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
        {limits.map((row) => (
          <tr key={row.label}>
            <th scope="row">{row.label}</th>
            {plans.map((plan) => (
              <td key={plan.id} suppressHydrationWarning>
                {row.limitOf(plan) > 0 ? (
                  numberFormat.format(row.limitOf(plan))
                ) : (
                  <Included isIncluded={false} />
                )}
              </td>
            ))}
          </tr>
        ))}
        {planFeatures.map((feature) => (
          <tr key={feature}>
            <th scope="row">{t(`compare.${feature}`)}</th>
            {plans.map((plan) => (
              <td key={plan.id}>
                <Included isIncluded={plan.features.includes(feature)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
