import { glueWords } from '../../shared/i18n/insert-no-break-spaces'
import s from './PlainList.module.css'

/** Sentences as a bulleted list. */
export function PlainList({ items }: { items: readonly string[] }) {
  return (
    <ul className={s['list']}>
      {items.map((item) => (
        <li key={item}>{glueWords(item)}</li>
      ))}
    </ul>
  )
}
