import type { Card } from '../../shared/page-data'
import { ForeignText, langOf } from '../components/article/ForeignText'
import { LocalDate } from '../components/LocalDate'
import { PlainList } from '../components/PlainList'
import type { ShownIsland } from './shown-island'
import s from './ReleaseList.module.css'

/** Releases of one page of the list, newest first, with what each brought. */
export function ReleaseList({
  data,
  locale,
}: ShownIsland<{ items: ReadonlyArray<Card & { highlights: readonly string[] }> }>) {
  return (
    <ol className={s['list']}>
      {data.items.map((item) => (
        <li key={item.id} className={s['item']}>
          <p className={s['date']}>{item.date && <LocalDate day={item.date} locale={locale} />}</p>
          <div>
            <h2 className={s['title']}>
              <a href={item.href}>
                <ForeignText text={item.title} foreign={item.foreign} />
              </a>
            </h2>
            <div lang={langOf(item.foreign)}>
              <PlainList items={item.highlights} />
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}
