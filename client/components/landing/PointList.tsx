import s from './PointList.module.css'

/** Points with a title and a text, side by side; `ordered` numbers them as steps. */
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
          <h3 className={s['title']}>{item.title}</h3>
          <p className={s['text']}>{item.text}</p>
        </li>
      ))}
    </List>
  )
}
