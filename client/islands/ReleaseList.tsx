import type { Card } from '../../shared/page-data'
import { TitleWithLanguage, langAttribute } from '../components/TitleWithLanguage'
import { BulletList } from '../components/BulletList'
import type { IslandProps } from './island-props'
import s from './ReleaseList.module.css'

/** One page of the list of releases, newest first, with their highlights. */
export function ReleaseList({
  data,
}: IslandProps<{ items: ReadonlyArray<Card & { highlights: readonly string[] }> }>) {
  return (
    <ol className={s['list']} data-expose="cards-releases">
      {data.items.map((item) => (
        <li key={item.id} className={s['item']}>
          <p className={s['date']}>
            {item.date && <time dateTime={item.date.day}>{item.date.text}</time>}
          </p>
          <div>
            <h2 className={s['title']}>
              <a data-track="cards-releases" href={item.href}>
                <TitleWithLanguage text={item.title} foreign={item.foreign} />
              </a>
            </h2>
            <div lang={langAttribute(item.foreign)}>
              <BulletList items={item.highlights} />
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
