import { useTranslation } from 'react-i18next'
import { absolute, href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { PageHead } from '../components/PageHead'
import { PlainList } from '../components/PlainList'
import { PointList } from '../components/PointList'
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
      <Section id="example" title={t('example.title')} tinted>
        <p className={s['text']}>{t('example.text')}</p>
        <p className={s['example']}>
          <code>
            {absolute(origins, locale, href(locale, 'pricing'))}?ref=<strong>AB12CD</strong>
          </code>
        </p>
      </Section>
      <Section id="rules" title={t('rules.title')}>
        <PlainList items={t('rules.items', { returnObjects: true })} />
      </Section>
      <Section id="data" title={t('data.title')}>
        <p className={s['text']}>{t('data.text')}</p>
      </Section>
    </>
  )
}
