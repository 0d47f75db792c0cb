import { insertNoBreakSpaces } from '../../shared/i18n/insert-no-break-spaces'
import s from './BulletList.module.css'

export function BulletList({ items }: { items: readonly string[] }) {
  return (
    <ul className={s['list']}>
      {items.map((item) => (
        <li key={item}>{insertNoBreakSpaces(item)}</li>
      ))}
    </ul>
  )
}
