import { href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { PageHeader } from '../components/PageHeader'
import { Questions } from '../components/landing/Questions'
import { Section } from '../components/Section'
import { useContactTarget } from '../components/use-contact-target'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'

export function Page() {
  const t = useTexts('faq')
  const { locale } = usePage()
  const contactTarget = useContactTarget()
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')} />
      <div className="wrap">
        <Questions items={t('items', { returnObjects: true })} headingLevel={2} />
      </div>
      <Section
        id="more"
        title={t('more.title')}
        text={t('more.text', { email: contactTarget('support').text })}
      >
        <ButtonLink href={href(locale, 'helps')} track="section-helps">
          {t('more.helps')}
        </ButtonLink>
      </Section>
    </>
  )
}
