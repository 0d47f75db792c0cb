import type { PageData } from '../../../shared/page-data'
import { usePage } from '../../view-context'
import { CallToAction } from './CallToAction'
import { CardList } from '../CardList'
import { PageHeader } from '../PageHeader'
import { useTexts } from '../../use-texts'

/** `/solutions`, in ru and vn `/use-cases`. Without landing pages it answers 404 (`guards.ts`). */
export function LandingList({ data }: { data: PageData['landings'] }) {
  const t = useTexts('lists')
  const { route } = usePage()
  const key = route === 'use-cases' ? 'use-cases' : 'solutions'
  return (
    <>
      <PageHeader title={t(`${key}.title`)} lead={t(`${key}.intro`)} />
      <div className="wrap">
        <CardList items={data.items} track="cards-solutions" headingLevel={2} icons />
      </div>
      <CallToAction isMainCall />
    </>
  )
}
