import type { Card } from '../../shared/page-data'
import { CardList } from '../components/CardList'
import type { IslandProps } from './island-props'
import { useTexts } from '../use-texts'

/** Articles related to the current one; renders nothing when there are none. */
export function RelatedArticles({ data }: IslandProps<{ items: readonly Card[] }>) {
  const t = useTexts('article')
  if (data.items.length === 0) return null
  return (
    <section aria-labelledby="related-heading">
      <h2 id="related-heading">{t('related')}</h2>
      <CardList items={data.items} track="cards-related" headingLevel={3} />
    </section>
  )
}
