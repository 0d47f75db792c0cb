import type { LandingSection } from '../../shared/landing-schemas'
import type { ForeignText } from '../../shared/page-data'
import { LandingSections } from '../components/landing/LandingSections'
import type { IslandProps } from './island-props'

/** The sections of a landing page. */
export function LandingBody({
  data: { sections, foreign },
  locale,
}: IslandProps<{ sections: readonly LandingSection[]; foreign?: ForeignText }>) {
  return (
    <div lang={foreign?.lang}>
      <LandingSections sections={sections} locale={locale} />
    </div>
  )
}
