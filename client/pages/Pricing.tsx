import { useTranslation } from 'react-i18next'
import { currencies, type Currency } from '../../shared/constants'
import { PageHead } from '../components/PageHead'
import { PlanCards } from '../components/PlanCards'
import { PlanTable } from '../components/PlanTable'
import { Questions } from '../components/Questions'
import { Section } from '../components/Section'
import { usePage } from '../view-context'
import s from './Pricing.module.css'

const codes = Object.keys(currencies) as Currency[]

/** All currencies are in the page and one is shown: the choice needs neither script nor another page. */
export function Page() {
  const { t } = useTranslation('pricing')
  const { site } = usePage()
  const first = site.currency
  return (
    <>
      <PageHead title={t('title')} lead={t('intro')} />
      <section className={`wrap ${s['plans']}`} aria-labelledby="plans-heading">
        <h2 id="plans-heading" className="sr-only">
          {t('plansHeading')}
        </h2>
        <fieldset className={s['currencies']}>
          <legend className={s['legend']}>{t('currency')}</legend>
          {codes.map((code) => (
            <label key={code} className={s['currency']}>
              <input type="radio" name="currency" id={`currency-${code}`} value={code} defaultChecked={code === first} />
              {code}
            </label>
          ))}
        </fieldset>
        <PlanCards codes={codes} />
        <p className={s['notes']}>{t('notes')}</p>
      </section>
      <Section id="compare" title={t('compare.title')}>
        <PlanTable />
      </Section>
      <Section id="questions" title={t('questions.title')}>
        <Questions items={t('questions.items', { returnObjects: true, email: site.contact.email })} headingLevel={3} />
      </Section>
    </>
  )
}
