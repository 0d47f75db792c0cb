import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { Actions, ButtonLink } from '../components/ButtonLink'
import { MailButton } from '../components/MailButton'
import { PageHeader } from '../components/PageHeader'
import { Section } from '../components/Section'
import { TextSections } from '../components/landing/TextSections'
import { usePage } from '../view-context'

export function Page() {
  const { t } = useTranslation('partner-plan')
  const { locale, site } = usePage()
  const { email } = site.contact
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')} />
      <TextSections sections={t('sections', { returnObjects: true })} />
      <Section id="apply" title={t('apply.title')} text={t('apply.text', { email })}>
        <Actions>
          <MailButton email={email} text={t('apply.write')} variant="primary" />
          <ButtonLink href={href(locale, 'partner')}>{t('apply.list')}</ButtonLink>
        </Actions>
      </Section>
    </>
  )
}
