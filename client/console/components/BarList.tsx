import { formatNumber } from '../count-text'
import s from './BarList.module.css'

/** Counts as bars, each with its share of the first. */
export function BarList({ bars }: { bars: ReadonlyArray<{ name: string; count: number }> }) {
  const first = bars[0]?.count ?? 0
  const max = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <ul className={s['bars']}>
      {bars.map(({ name, count }) => (
        <li key={name}>
          <span>{name}</span>
          <span className={s['count']}>
            {formatNumber(count)}
            {first > 0 && ` (${Math.round((count / first) * 100)} %)`}
          </span>
          <progress className={s['bar']} value={count} max={max} aria-hidden="true" />
        </li>
      ))}
    </ul>
  )
}
