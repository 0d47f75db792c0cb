import type { Card } from '../../shared/page-data'
import type { CallKey } from '../../shared/tracking-keys'
import { iconOr } from '../icons/names'
import { Cover } from './pictures/Cover'
import { FacetIllustration } from './pictures/FacetIllustration'
import { TitleWithLanguage, langAttribute } from './TitleWithLanguage'
import { Icon } from './Icon'
import s from './CardList.module.css'

type CardListProps = {
  items: readonly Card[]
  /** Key of the list when it is seen, and of its cards when they are clicked. */
  track: CallKey & `cards-${string}`
  headingLevel: 2 | 3
  icons?: boolean
  /** Leaves out the summaries. */
  brief?: boolean
  /** Two cards in a row. */
  wide?: boolean
  /** Shows cover pictures; entries without one show a drawing, unless no entry has a cover. */
  covers?: boolean
}

/**
 * Links to entries of a collection. Islands use it without a page scope, so they cannot set
 * `icons`, which need the URL of the sprite.
 */
export function CardList({
  items,
  track,
  headingLevel,
  icons = false,
  brief = false,
  wide = false,
  covers = false,
}: CardListProps) {
  const Heading = `h${headingLevel}` as const
  const hasCovers = covers && items.some((item) => item.cover)
  return (
    <ul
      className={`${s['list']} ${brief ? s['brief'] : ''} ${wide ? s['wide'] : ''}`}
      data-expose={track}
    >
      {items.map((item, index) => (
        <li key={item.href} className={hasCovers ? `${s['card']} ${s['covered']}` : s['card']}>
          {hasCovers &&
            (item.cover ? (
              <Cover cover={item.cover} variant="card" priority={index === 0} />
            ) : (
              <FacetIllustration className={s['illustration']} />
            ))}
          {icons && (
            <span className={s['icon']}>
              <Icon name={iconOr(item.icon)} />
            </span>
          )}
          <div className={s['body']}>
            {(item.date || item.category) && (
              <p className={s['meta']}>
                {item.date && <time dateTime={item.date.day}>{item.date.text}</time>}
                {item.category && <span>{item.category.label}</span>}
              </p>
            )}
            <Heading className={s['title']}>
              <a data-track={track} href={item.href}>
                <TitleWithLanguage text={item.title} foreign={item.foreign} mark={item.mark} />
              </a>
            </Heading>
            {!brief && item.description && (
              <p className={s['text']} lang={langAttribute(item.foreign)}>
                {item.description}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
