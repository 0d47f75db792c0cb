import s from './Tag.module.css'

/** A short label; a link when there is a list of its entries. */
export function Tag({
  text,
  href,
  current = false,
}: {
  text: string
  href?: string | undefined
  current?: boolean
}) {
  if (!href) return <span className={s['tag']}>{text}</span>
  return (
    <a className={s['tag']} href={href} aria-current={current ? 'true' : undefined}>
      {text}
    </a>
  )
}
