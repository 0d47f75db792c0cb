import type { PageData } from '../../../shared/page-data'
import { usePage } from '../../view-context'
import { CallToAction } from './CallToAction'
import { CardList } from '../CardList'
import { EmptyState } from '../EmptyState'
import { PageHeader } from '../PageHeader'
import { useTexts } from '../../use-texts'

/** The page `/solutions`; in ru and vn it is `/use-cases`. */
export function LandingList({ data }: { data: PageData['landings'] }) {
  const t = useTexts('lists')
  const { locale, route } = usePage()
  const key = route === 'use-cases' ? 'use-cases' : 'solutions'
  return (
    <>
      <PageHeader title={t(`${key}.title`)} lead={t(`${key}.intro`)} />
      <div className="wrap">
        {data.items.length > 0 ? (
          <CardList
            items={data.items}
            track="cards-solutions"
            locale={locale}
            headingLevel={2}
            icons
          />
        ) : (
          <EmptyState title={t('empty')} />
        )}
      </div>
      <CallToAction />
    </>
  )
}
