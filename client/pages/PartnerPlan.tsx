import { href } from '../../shared/routes/href'
import { Actions, ButtonLink } from '../components/ButtonLink'
import { PageHeader } from '../components/PageHeader'
import { Section } from '../components/Section'
import { TextSections } from '../components/landing/TextSections'
import { useContactTarget } from '../components/use-contact-target'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'

export function Page() {
  const t = useTexts('partner-plan')
  const { locale } = usePage()
  const contact = useContactTarget()('email')
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')} />
      <TextSections sections={t('sections', { returnObjects: true })} />
      <Section id="apply" title={t('apply.title')} text={t('apply.text', { email: contact.text })}>
        <Actions>
          <ButtonLink href={contact.href} track="section-partner-mail" variant="primary">
            {t('apply.write')}
          </ButtonLink>
          <ButtonLink href={href(locale, 'partner')} track="section-partner">
            {t('apply.list')}
          </ButtonLink>
        </Actions>
      </Section>
    </>
  )
}
