import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import s from './PointList.module.css'

/** Short points side by side; `ordered` for steps. */
export function PointList({
  items,
  lang,
  ordered = false,
}: {
  items: ReadonlyArray<{ title: string; text: string }>
  lang?: string | undefined
  ordered?: boolean
}) {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List className={ordered ? `${s['points']} ${s['ordered']}` : s['points']} lang={lang}>
      {items.map((item) => (
        <li key={item.title}>
          <h3 className={s['title']}>{glueWords(item.title)}</h3>
          <p className={s['text']}>{glueWords(item.text)}</p>
        </li>
      ))}
    </List>
  )
}
