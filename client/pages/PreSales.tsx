import { href } from '../../shared/routes/href'
import { Actions, ButtonLink } from '../components/ButtonLink'
import { PageHeader } from '../components/PageHeader'
import { BulletList } from '../components/BulletList'
import { PointList } from '../components/landing/PointList'
import { Section } from '../components/Section'
import { useContactTarget } from '../components/use-contact-target'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'

export function Page() {
  const t = useTexts('pre-sales')
  const { locale } = usePage()
  const contact = useContactTarget()('email')
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')}>
        <Actions>
          <ButtonLink href={contact.href} track="hero-mail" variant="primary">
            {t('write')}
          </ButtonLink>
        </Actions>
      </PageHeader>
      <Section id="tell" title={t('tell.title')}>
        <PointList items={t('tell.items', { returnObjects: true })} />
      </Section>
      <Section id="expect" title={t('expect.title')} split tinted>
        <BulletList items={t('expect.items', { returnObjects: true })} />
      </Section>
      <Section id="tryout" split title={t('tryout.title')} text={t('tryout.text')}>
        <Actions>
          <ButtonLink href={href(locale, 'pricing')} track="section-pricing">
            {t('tryout.pricing')}
          </ButtonLink>
          <ButtonLink href={href(locale, 'download')} track="section-download">
            {t('tryout.download')}
          </ButtonLink>
        </Actions>
      </Section>
    </>
  )
}
