import { useTranslation } from 'react-i18next'
import type { Collection } from '../../shared/content'
import type { SearchHit } from '../../shared/search-result'
import { ForeignText, langOf } from '../components/article/ForeignText'
import { MarkedText } from '../components/MarkedText'
import s from './SearchDialog.module.css'

/** Hits by collection; the collection whose best hit is best comes first. */
export function grouped(
  hits: readonly SearchHit[],
): Array<{ collection: Collection; hits: SearchHit[] }> {
  const groups = new Map<Collection, SearchHit[]>()
  for (const hit of hits) groups.set(hit.collection, [...(groups.get(hit.collection) ?? []), hit])
  return [...groups].map(([collection, own]) => ({ collection, hits: own }))
}

export const optionId = (index: number): string => `search-option-${index}`

type Props = {
  id: string
  hits: readonly SearchHit[]
  /** In the order that is shown. */ active: number
  onPoint: (index: number) => void
  onFollow: (event: { metaKey: boolean; ctrlKey: boolean; shiftKey: boolean }) => void
}

/** The list of results: a list box whose options are plain links, so that they open in tabs as links do. Focused, it scrolls by keyboard. */
export function SearchResults({ id, hits, active, onPoint, onFollow }: Props) {
  const { t } = useTranslation('search')
  const order = grouped(hits).flatMap((group) => group.hits)
  return (
    <div id={id} role="listbox" aria-label={t('results')} className={s['results']} tabIndex={0}>
      {grouped(hits).map(({ collection, hits: own }) => (
        <div key={collection} role="group" aria-labelledby={`search-group-${collection}`}>
          <p id={`search-group-${collection}`} className={s['group']}>
            {t(`groups.${collection}`)}
          </p>
          {own.map((hit) => {
            const index = order.indexOf(hit)
            return (
              <a
                key={hit.url}
                id={optionId(index)}
                role="option"
                aria-selected={index === active}
                href={hit.url}
                tabIndex={-1}
                className={s['option']}
                onMouseMove={() => onPoint(index)}
                onClick={onFollow}
              >
                <span className={s['title']}>
                  <ForeignText text={hit.title} foreign={hit.foreign} mark={hit.mark} />
                </span>
                {hit.excerpt && (
                  <span className={s['excerpt']} lang={langOf(hit.foreign)}>
                    <MarkedText text={hit.excerpt} marks={hit.marks} />
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
