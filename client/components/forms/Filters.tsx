import type { Labeled } from '../../../shared/page-data'
import type { TrackKey } from '../../../shared/tracking-keys'
import { Tag } from '../Tag'
import s from './Filters.module.css'

/** Links to filtered lists; the current ones are marked. */
export function Filters({
  id,
  label,
  items,
  track,
  selected,
}: {
  id: string
  label: string
  items: readonly Labeled[]
  track: TrackKey
  selected: readonly string[]
}) {
  return (
    <nav className={s['filters']} aria-labelledby={`filter-${id}`}>
      <p className={s['label']} id={`filter-${id}`}>
        {label}
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <Tag
              text={item.label}
              href={item.href}
              track={track}
              current={selected.includes(item.id)}
            />
          </li>
        ))}
      </ul>
    </nav>
  )
}
