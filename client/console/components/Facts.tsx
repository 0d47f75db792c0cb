import s from './Facts.module.css'

/** Names and values. */
export function Facts({ rows }: { rows: ReadonlyArray<{ name: string; value: string }> }) {
  return (
    <dl className={s['facts']}>
      {rows.map(({ name, value }) => (
        <div key={name} className={s['row']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
