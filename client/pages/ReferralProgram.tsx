import { useTranslation } from 'react-i18next'
import { absolute, href } from '../../shared/routes/href'
import { referral } from '../../shared/product'
import { ButtonLink } from '../components/ButtonLink'
import { Callout } from '../components/article/Callout'
import { CodeBlock } from '../components/article/CodeBlock'
import { EarningsCalculator } from '../components/landing/EarningsCalculator'
import { PageHead } from '../components/PageHead'
import { PlainList } from '../components/PlainList'
import { PointList } from '../components/landing/PointList'
import { Section } from '../components/Section'
import { usePage } from '../view-context'
import s from './ReferralProgram.module.css'

export function Page() {
  const { t } = useTranslation('referral-program')
  const { locale, origins, site } = usePage()
  return (
    <>
      <PageHead title={t('title')} lead={t('intro')}>
        <ButtonLink href={site.registerUrl} look="main" action="register">
          {t('action')}
        </ButtonLink>
      </PageHead>
      <Section id="steps" title={t('steps.title')}>
        <PointList items={t('steps.items', { returnObjects: true })} ordered />
      </Section>
      <Section
        id="calculator"
        title={t('calculator.title')}
        text={t('calculator.text', { percent: Math.round(referral.commission * 100) })}
        tinted
      >
        <EarningsCalculator />
        <p className={s['note']}>{t('calculator.note')}</p>
      </Section>
      <Section id="example" split title={t('example.title')} text={t('example.text')}>
        <CodeBlock label={t('example.copy')} copied={t('example.copied')}>
          {absolute(origins, locale, href(locale, 'pricing'))}?ref=<strong>AB12CD</strong>
        </CodeBlock>
      </Section>
      <Section id="rules" split title={t('rules.title')}>
        <PlainList items={t('rules.items', { returnObjects: true })} />
      </Section>
      <Section id="data" split title={t('data.title')}>
        <div className={s['text']}>
          <Callout>{t('data.text')}</Callout>
        </div>
      </Section>
    </>
  )
}
