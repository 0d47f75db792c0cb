import { useTranslation } from 'react-i18next'
import type { Card, PageData } from '../../../shared/page-data'
import { usePage } from '../../view-context'
import { CardList } from '../CardList'
import { EmptyState } from '../EmptyState'
import { PageHead } from '../PageHead'
import { Section } from '../Section'

/** The section says the category, and a help article is not news. */
const plain = ({ date: _date, category: _category, ...card }: Card): Card => card

/** Index of guide or help: all articles by section. */
export function SectionsPage({ data }: { data: PageData['sections'] }) {
  const { t } = useTranslation('lists')
  const { locale, site } = usePage()
  const { collection, sections } = data
  return (
    <>
      <PageHead
        title={t(`${collection}.title`)}
        lead={t(`${collection}.intro`, { email: site.contact.support })}
      />
      {sections.map((section, index) => (
        <Section key={section.label} id={`section-${index + 1}`} title={section.label} split>
          <CardList items={section.items.map(plain)} locale={locale} headingLevel={3} />
        </Section>
      ))}
      {sections.length === 0 && (
        <div className="wrap">
          <EmptyState title={t('empty')} />
        </div>
      )}
    </>
  )
}
