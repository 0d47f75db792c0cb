import type { TrackKey } from '../../shared/tracking-keys'
import { Icon } from '../components/Icon'
import type { IconName } from '../icons/names'
import { usePage } from '../view-context'
import { menuIcons } from './menu-icons'
import s from './Menu.module.css'
import type { MenuEntry } from './use-menu-links'

/** `page` for the current page, `true` for a page above it. */
function ariaCurrent(href: string, path: string): 'page' | 'true' | undefined {
  if (href === path) return 'page'
  return path.startsWith(`${href}/`) ? 'true' : undefined
}

/** A link of a menu, marked if it leads to the current page or a page above it. */
export function MenuLink({
  href,
  text,
  track,
  icon,
}: {
  href: string
  text: string
  track: TrackKey
  icon?: IconName | undefined
}) {
  const { path } = usePage()
  return (
    <a className={s['link']} data-track={track} href={href} aria-current={ariaCurrent(href, path)}>
      {icon && <Icon name={icon} size={20} className={s['icon']} />}
      {text}
    </a>
  )
}

/** A menu of the bar. Menus share a name, so that the browser closes one when another opens. */
export function Menu({
  title,
  track,
  items,
  wide = false,
}: {
  title: string
  /** Key of the title when it is clicked. */
  track: TrackKey
  items: readonly MenuEntry[]
  wide?: boolean
}) {
  const { path } = usePage()
  const isCurrent = items.some((item) => ariaCurrent(item.href, path))
  return (
    <li className={s['item']}>
      <details className={s['menu']} name="menu">
        <summary
          className={isCurrent ? `${s['title']} ${s['current']}` : s['title']}
          data-track={track}
        >
          {title}
          <Icon name="chevron-down" size={18} className={s['chevron']} />
        </summary>
        <ul className={wide ? `${s['list']} ${s['wide']}` : s['list']}>
          {items.map((item) => (
            <li key={item.key}>
              <MenuLink
                href={item.href}
                text={item.text}
                track={`header-${item.name}`}
                icon={menuIcons[item.key]}
              />
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}
