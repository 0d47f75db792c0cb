import type { ShownPlan } from '../../../shared/page-data'
import { planFeatures } from '../../../shared/plans'
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

export function PlanTable({ plans }: { plans: readonly ShownPlan[] }) {
  const t = useTexts('pricing')
  const limits: ReadonlyArray<{ label: string; limit: keyof ShownPlan['limits'] }> = [
    { label: t('compare.profiles'), limit: 'profiles' },
    { label: t('compare.people'), limit: 'people' },
    { label: t('compare.log'), limit: 'logDays' },
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
        {limits.map(({ label, limit }) => (
          <tr key={limit}>
            <th scope="row">{label}</th>
            {plans.map((plan) => (
              <td key={plan.id}>
                {plan[limit] > 0 ? plan.limits[limit] : <Included isIncluded={false} />}
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
