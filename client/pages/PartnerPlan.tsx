import { useTranslation } from 'react-i18next'
import { href } from '../../shared/routes/href'
import { Actions, ButtonLink } from '../components/ButtonLink'
import { MailButton } from '../components/MailButton'
import { PageHead } from '../components/PageHead'
import { Section } from '../components/Section'
import { TextSections } from '../components/landing/TextSections'
import { usePage } from '../view-context'

export function Page() {
  const { t } = useTranslation('partner-plan')
  const { t: shell } = useTranslation()
  const { locale, site } = usePage()
  const { email } = site.contact
  return (
    <>
      <PageHead
        title={t('title')}
        lead={t('intro')}
        crumbs={[{ href: href(locale, 'partner'), text: shell('NAVBAR_PARTNER') }]}
      />
      <TextSections sections={t('sections', { returnObjects: true })} />
      <Section id="apply" title={t('apply.title')} text={t('apply.text', { email })}>
        <Actions>
          <MailButton email={email} text={t('apply.write')} look="main" />
          <ButtonLink href={href(locale, 'partner')}>{t('apply.list')}</ButtonLink>
        </Actions>
      </Section>
    </>
  )
}
