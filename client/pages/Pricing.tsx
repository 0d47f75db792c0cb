import { PageHeader } from '../components/PageHeader'
import { PlanTable } from '../components/landing/PlanTable'
import { PriceTable } from '../components/landing/PriceTable'
import { Questions } from '../components/landing/Questions'
import { Section } from '../components/Section'
import { useContactTarget } from '../components/use-contact-target'
import type { PageProps } from '../pages'
import { useTexts } from '../use-texts'
import s from './Pricing.module.css'

export function Page({ data }: PageProps<'plans'>) {
  const t = useTexts('pricing')
  const contactTarget = useContactTarget()
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')} />
      <section className="wrap" aria-labelledby="plans-heading">
        <h2 id="plans-heading" className="sr-only">
          {t('plansHeading')}
        </h2>
        <PriceTable {...data} />
        <p className={s['notes']}>{t('notes')}</p>
      </section>
      <Section id="compare" title={t('compare.title')}>
        <PlanTable plans={data.plans} />
      </Section>
      <Section id="questions" split title={t('questions.title')}>
        <Questions
          items={t('questions.items', { returnObjects: true, email: contactTarget('email').text })}
          headingLevel={3}
        />
      </Section>
    </>
  )
}
