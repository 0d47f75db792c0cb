import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import s from './Menu.module.css'

type Entry = { key: string; href: string; text: string }

/** A link of a menu; the page being shown is marked. */
export function MenuLink({ href, text }: { href: string; text: string }) {
  const { path } = usePage()
  return (
    <a className={s['link']} href={href} aria-current={href === path ? 'page' : undefined}>
      {text}
    </a>
  )
}

/** One menu of the bar. The shared name lets the browser close one when another opens. */
export function Menu({ title, items, wide = false }: { title: string; items: readonly Entry[]; wide?: boolean }) {
  return (
    <li className={s['item']}>
      <details className={s['menu']} name="menu">
        <summary className={s['title']}>
          {title}
          <Icon name="chevron-down" size={18} className={s['chevron']} />
        </summary>
        <ul className={wide ? `${s['list']} ${s['wide']}` : s['list']}>
          {items.map((item) => (
            <li key={item.key}>
              <MenuLink href={item.href} text={item.text} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}
