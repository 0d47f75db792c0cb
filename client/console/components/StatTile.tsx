import { formatNumber } from '../count-text'
import s from './StatTile.module.css'

/** How a number changed, in percent of the number before. */
function changeOf(now: number, before: number): string {
  if (now === before) return 'unchanged'
  if (before === 0) return ''
  const percent = Math.round(((now - before) / before) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`
}

/** One number of a period, compared with the period before. */
export function StatTile({ name, now, before }: { name: string; now: number; before: number }) {
  return (
    <div className={s['tile']}>
      <dt className={s['name']}>{name}</dt>
      <dd className={s['value']}>{formatNumber(now)}</dd>
      <dd className={s['change']}>{changeOf(now, before)}</dd>
      <dd className={s['before']}>{formatNumber(before)} before</dd>
    </div>
  )
}
