import { href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { PageHeader } from '../components/PageHeader'
import { Section } from '../components/Section'
import { TextSections } from '../components/landing/TextSections'
import { usePage } from '../view-context'
import { useTexts } from '../use-texts'
import s from './AboutUs.module.css'

export function Page() {
  const t = useTexts('about')
  const { locale, site } = usePage()
  const { contact } = site
  const addresses = [
    { title: t('contact.general'), email: contact.email },
    { title: t('contact.support'), email: contact.support },
    { title: t('contact.abuse'), email: contact.abuse },
  ].filter(({ email }) => email !== '')
  return (
    <>
      <PageHeader title={t('title')} lead={t('intro')} />
      <TextSections sections={t('sections', { returnObjects: true })} />
      <Section id="contact" title={t('contact.title')} text={t('contact.text')} split>
        {addresses.length === 0 ? (
          <ButtonLink
            href={href(locale, 'single', { html: 'contact' })}
            track="contact-page"
            exposed={false}
          >
            {t('contact.title')}
          </ButtonLink>
        ) : (
          <dl className={s['contact']}>
            {addresses.map((address) => (
              <div key={address.title}>
                <dt>{address.title}</dt>
                <dd>
                  <a data-track="contact-mail" href={`mailto:${address.email}`}>
                    {address.email}
                  </a>
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
    </>
  )
}
