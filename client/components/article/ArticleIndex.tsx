import type { Card, PageData } from '../../../shared/page-data'
import { CardList } from '../CardList'
import { PageHeader } from '../PageHeader'
import { Section } from '../Section'
import { useContactTarget } from '../use-contact-target'
import { useTexts } from '../../use-texts'

/** Without category, which the section's title shows, and without date. */
const withoutMeta = ({ date: _date, category: _category, ...card }: Card): Card => card

/**
 * Index page of the guide and the help center: all articles by section. Without articles it answers
 * 404 (`guards.ts`).
 */
export function ArticleIndex({ data }: { data: PageData['sections'] }) {
  const t = useTexts('lists')
  const contactTarget = useContactTarget()
  const { collection, sections } = data
  return (
    <>
      <PageHeader
        title={t(`${collection}.title`)}
        lead={t(`${collection}.intro`, { email: contactTarget('support').text })}
      />
      {sections.map((section, index) => (
        <Section key={section.label} id={`section-${index + 1}`} title={section.label} split>
          <CardList
            items={section.items.map(withoutMeta)}
            track="cards-sections"
            headingLevel={3}
          />
        </Section>
      ))}
    </>
  )
}
