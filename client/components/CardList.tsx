import { glueWords } from '../../shared/i18n/insert-no-break-spaces'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { Card } from '../../shared/page-data'
import { iconOr } from '../icons/names'
import { Cover } from './pictures/Cover'
import { FacetTiles } from './pictures/FacetTiles'
import { ForeignText, langOf } from './article/ForeignText'
import { Icon } from './Icon'
import { LocalDate } from './LocalDate'
import s from './CardList.module.css'

type CardListProps = {
  items: readonly Card[]
  locale: LocaleCode
  headingLevel: 2 | 3
  icons?: boolean
  brief?: boolean
  wide?: boolean
  covers?: boolean
}

/**
 * Links to entries of a collection. Islands show it too, where there is no page scope: icons, which need the sprite's
 * address, are for pages only. `brief` leaves out the summaries, `wide` sets two in a row,
 * `covers` shows pictures, the first of them at once; where some have one, the others show the motif, so that no card looks half empty.
 */
export function CardList({
  items,
  locale,
  headingLevel,
  icons = false,
  brief = false,
  wide = false,
  covers = false,
}: CardListProps) {
  const Heading = `h${headingLevel}` as const
  const pictured = covers && items.some((item) => item.cover)
  return (
    <ul className={`${s['list']} ${brief ? s['brief'] : ''} ${wide ? s['wide'] : ''}`}>
      {items.map((item, index) => (
        <li key={item.href} className={pictured ? `${s['card']} ${s['covered']}` : s['card']}>
          {pictured &&
            (item.cover ? (
              <Cover cover={item.cover} place="card" priority={index === 0} />
            ) : (
              <FacetTiles className={s['motif']} />
            ))}
          {icons && (
            <span className={s['icon']}>
              <Icon name={iconOr(item.icon)} />
            </span>
          )}
          <div className={s['body']}>
            {(item.date || item.category) && (
              <p className={s['meta']}>
                {item.date && <LocalDate day={item.date} locale={locale} />}
                {item.category && <span>{item.category.label}</span>}
              </p>
            )}
            <Heading className={s['title']}>
              <a href={item.href}>
                <ForeignText text={item.title} foreign={item.foreign} mark={item.mark} />
              </a>
            </Heading>
            {!brief && item.description && (
              <p className={s['text']} lang={langOf(item.foreign)}>
                {glueWords(item.description)}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
