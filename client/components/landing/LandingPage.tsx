import { useTranslation } from 'react-i18next'
import type { Card, Landing } from '../../../shared/page-data'
import { switchLocale } from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import { usePage } from '../../view-context'
import type { Crumb } from '../Breadcrumb'
import { CallToAction } from './CallToAction'
import { CardList } from '../CardList'
import { langOf } from '../article/ForeignText'
import { Html } from '../Html'
import { Island } from '../Island'
import { LandingHero } from './LandingHero'
import { PointList } from './PointList'
import { Questions } from './Questions'
import { Section } from '../Section'
// The island's markup comes without its code: its styles must come with the page.
import './ComparisonTable.module.css'

/** A page that presents: solution, feature, industry or comparison. Its headings are of the page's language. */
export function LandingPage({ data }: { data: { landing: Landing; related: readonly Card[] } }) {
  const { t } = useTranslation('landing')
  const { t: shell } = useTranslation()
  const { locale } = usePage()
  const { landing, related } = data
  const lang = langOf(landing.foreign)
  const overview =
    landing.collection === 'solutions'
      ? switchLocale({ route: 'solutions', params: {} }, locale)
      : null
  const crumbs: Crumb[] = overview
    ? [{ href: href(locale, overview.route), text: shell('NAVBAR_SOLUTIONS') }]
    : []
  return (
    <>
      <LandingHero landing={landing} crumbs={crumbs} />
      <Section id="benefits" title={t(landing.comparison ? 'checkpoints' : 'benefits')}>
        <PointList items={landing.benefits} lang={lang} />
      </Section>
      {landing.comparison && landing.product && (
        <Section
          id="comparison"
          title={t('comparison.heading')}
          text={t('comparison.note', { product: landing.product })}
        >
          <Island {...landing.comparison} />
        </Section>
      )}
      <Section id="steps" title={t('steps')} tinted>
        <PointList items={landing.steps} lang={lang} ordered />
      </Section>
      {/* In the browser the text is empty at hydration, as the markup holds it: so the section does not ask for it. */}
      <div className="wrap">
        <Html html={landing.html} className="prose" lang={lang} />
      </div>
      <Section id="questions" split title={t('questions')}>
        <Questions items={landing.questions} headingLevel={3} lang={lang} />
      </Section>
      {related.length > 0 && (
        <Section id="related" title={t('related')}>
          <CardList items={related} locale={locale} headingLevel={3} icons />
        </Section>
      )}
      <CallToAction />
    </>
  )
}
