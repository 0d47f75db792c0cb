import type { Labelled } from '../../shared/page-data'
import s from './Filters.module.css'

/** Narrower lists as links; the ones that are shown are marked. */
export function Filters({ id, label, items, selected }: { id: string; label: string; items: readonly Labelled[]; selected: readonly string[] }) {
  return (
    <nav className={s['filters']} aria-labelledby={`filter-${id}`}>
      <p className={s['label']} id={`filter-${id}`}>
        {label}
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            {item.href ? (
              <a href={item.href} aria-current={selected.includes(item.id) ? 'true' : undefined}>
                {item.label}
              </a>
            ) : (
              <span>{item.label}</span>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
