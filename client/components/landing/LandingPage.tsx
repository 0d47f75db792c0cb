import type { LandingData } from '../../../shared/page-data'
import { CallToAction } from './CallToAction'
import { CardList } from '../CardList'
import { ServerHtml } from '../ServerHtml'
import { Island } from '../Island'
import { LandingHero } from './LandingHero'
import { PointList } from './PointList'
import { Questions } from './Questions'
import { Section } from '../Section'
import { useTexts } from '../../use-texts'
// The code of the islands stays on the server, so the page imports their styles.
import '../pictures/LandingPicture.module.css'
import './ComparisonTable.module.css'
import './LandingSections.module.css'
import './LandingTable.module.css'

/**
 * A page about a solution, feature, industry or comparison. Its section headings are in the page's
 * language even if the content is not.
 */
export function LandingPage({ data }: { data: LandingData }) {
  const t = useTexts('landing')
  const { landing, related, documents } = data
  const lang = landing.foreign?.lang
  return (
    <>
      <LandingHero landing={landing} />
      {landing.benefits.length > 0 && (
        <Section id="benefits" title={t(landing.comparison ? 'checkpoints' : 'benefits')}>
          <PointList items={landing.benefits} lang={lang} />
        </Section>
      )}
      {landing.comparison && landing.product && (
        <Section
          id="comparison"
          {...(landing.hasStatements
            ? {
                title: t('comparison.heading'),
                text: t('comparison.note', { product: landing.product }),
              }
            : { title: t('comparison.offer') })}
        >
          <Island island={landing.comparison} />
        </Section>
      )}
      {landing.sections && <Island island={landing.sections} />}
      {landing.steps.length > 0 && (
        <Section id="steps" title={t('steps')} tinted>
          <PointList items={landing.steps} lang={lang} ordered />
        </Section>
      )}
      {/* `html` is empty at hydration (see ServerHtml), so this element is always rendered. */}
      <div className="wrap">
        <ServerHtml html={landing.html} className="prose" lang={lang} />
      </div>
      <Section id="questions" split title={t('questions')}>
        <Questions items={landing.questions} headingLevel={3} lang={lang} />
      </Section>
      {documents.length > 0 && (
        <Section id="documents" title={t('documents')}>
          <CardList items={documents} track="cards-documents" headingLevel={3} brief />
        </Section>
      )}
      {related.length > 0 && (
        <Section id="related" title={t('related')}>
          <CardList items={related} track="cards-related" headingLevel={3} icons />
        </Section>
      )}
      <CallToAction />
    </>
  )
}
