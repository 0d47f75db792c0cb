import s from './BulletList.module.css'

export function BulletList({ items }: { items: readonly string[] }) {
  return (
    <ul className={s['list']}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}
