import { absoluteUrl, href } from '../../shared/routes/href'
import { isPriced } from '../../shared/plans'
import { ButtonLink } from '../components/ButtonLink'
import { Callout } from '../components/article/Callout'
import { CodeBlock } from '../components/article/CodeBlock'
import { EarningsCalculator } from '../components/landing/EarningsCalculator'
import { PageHeader } from '../components/PageHeader'
import { BulletList } from '../components/BulletList'
import { PointList } from '../components/landing/PointList'
import { Section } from '../components/Section'
import type { PageProps } from '../pages'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './ReferralProgram.module.css'

export function Page({ data }: PageProps<'plans'>) {
  const t = useTexts('referral-program')
  const { plans, referralPercent } = data
  const { locale, origins, site } = usePage()
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')}>
        <ButtonLink
          href={site.registerUrl}
          track="hero-register"
          variant="primary"
          action="register"
        >
          {t('action')}
        </ButtonLink>
      </PageHeader>
      <Section id="steps" title={t('steps.title')}>
        <PointList items={t('steps.items', { returnObjects: true })} ordered />
      </Section>
      {plans.some(isPriced) && referralPercent > 0 && (
        <Section
          id="calculator"
          title={t('calculator.title')}
          text={t('calculator.text', { percent: referralPercent })}
          tinted
        >
          <EarningsCalculator plans={plans} percent={referralPercent} />
          <p className={s['note']}>{t('calculator.note')}</p>
        </Section>
      )}
      <Section id="example" split title={t('example.title')} text={t('example.text')}>
        <CodeBlock label={t('example.copy')} copiedText={t('example.copied')}>
          {absoluteUrl(origins, locale, href(locale, 'pricing'))}?ref=<strong>AB12CD</strong>
        </CodeBlock>
      </Section>
      <Section id="rules" split title={t('rules.title')}>
        <BulletList items={t('rules.items', { returnObjects: true })} />
      </Section>
      <Section id="data" split title={t('data.title')}>
        <div className={s['text']}>
          <Callout>{t('data.text')}</Callout>
        </div>
      </Section>
    </>
  )
}
