import type { Collection } from '../../shared/front-matter'
import { insertNoBreakSpaces } from '../../shared/i18n/insert-no-break-spaces'
import type { SearchHit } from '../../shared/search-result'
import { HighlightedText } from '../components/HighlightedText'
import { langAttribute, TitleWithLanguage } from '../components/TitleWithLanguage'
import { useTexts } from '../use-texts'
import s from './SearchDialog.module.css'

type HitGroup = { collection: Collection; hits: SearchHit[] }
export type ModifierKeys = { metaKey: boolean; ctrlKey: boolean; shiftKey: boolean }

/** Groups hits by collection; the collection with the best hit comes first. */
function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<Collection, SearchHit[]>()
  for (const hit of hits) groups.set(hit.collection, [...(groups.get(hit.collection) ?? []), hit])
  return [...groups].map(([collection, members]) => ({ collection, hits: members }))
}

export const optionId = (index: number): string => `search-option-${index}`

type SearchResultsProps = {
  id: string
  hits: readonly SearchHit[]
  /** Index of the selected option, in the order on the screen. */
  active: number
  onHover: (index: number) => void
  onFollow: (keys: ModifierKeys) => void
}

/**
 * The results as a list box. Its options are links, so they open in new tabs as links do. The list
 * can be focused, so the keyboard can scroll it.
 */
export function SearchResults({ id, hits, active, onHover, onFollow }: SearchResultsProps) {
  const t = useTexts('search')
  // A collection without a name in the texts is shown by its id.
  const groupNames: Readonly<Record<string, string>> = t('groups', { returnObjects: true })
  const groups = groupHits(hits)
  const displayOrder = groups.flatMap((group) => group.hits)
  return (
    <div id={id} role="listbox" aria-label={t('results')} className={s['results']} tabIndex={0}>
      {groups.map((group) => (
        <div
          key={group.collection}
          role="group"
          aria-labelledby={`search-group-${group.collection}`}
        >
          <p id={`search-group-${group.collection}`} className={s['group']}>
            {groupNames[group.collection] ?? group.collection}
          </p>
          {group.hits.map((hit) => {
            const index = displayOrder.indexOf(hit)
            return (
              <a
                key={hit.url}
                id={optionId(index)}
                role="option"
                data-track="search-result"
                aria-selected={index === active}
                href={hit.url}
                tabIndex={-1}
                className={s['option']}
                onMouseMove={() => onHover(index)}
                onClick={onFollow}
              >
                <span className={s['title']}>
                  <TitleWithLanguage
                    text={insertNoBreakSpaces(hit.title)}
                    foreign={hit.foreign}
                    mark={hit.mark}
                  />
                </span>
                {hit.excerpt && (
                  <span className={s['excerpt']} lang={langAttribute(hit.foreign)}>
                    <HighlightedText text={hit.excerpt} marks={hit.marks} />
                  </span>
                )}
              </a>
            )
          })}
        </div>
      ))}
    </div>
  )
}
