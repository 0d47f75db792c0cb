import { useTranslation } from 'react-i18next'
import type { Card, Landing } from '../../../shared/page-data'
import { usePage } from '../../view-context'
import { CallToAction } from './CallToAction'
import { CardList } from '../CardList'
import { langAttribute } from '../TitleWithLanguage'
import { ServerHtml } from '../ServerHtml'
import { Island } from '../Island'
import { LandingHero } from './LandingHero'
import { PointList } from './PointList'
import { Questions } from './Questions'
import { Section } from '../Section'
// The island's code stays on the server, so the page imports its styles.
import './ComparisonTable.module.css'

/**
 * A page about a solution, feature, industry or comparison. Its section headings are in the page's
 * language even if the content is not.
 */
export function LandingPage({ data }: { data: { landing: Landing; related: readonly Card[] } }) {
  const { t } = useTranslation('landing')
  const { locale } = usePage()
  const { landing, related } = data
  const lang = langAttribute(landing.foreign)
  return (
    <>
      <LandingHero landing={landing} />
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
      {/* `html` is empty at hydration (see ServerHtml), so this element is always rendered. */}
      <div className="wrap">
        <ServerHtml html={landing.html} className="prose" lang={lang} />
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
