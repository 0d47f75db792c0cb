import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import type { TrackKey } from '../../shared/tracking-keys'
import { Icon } from '../components/Icon'
import { usePage } from '../view-context'
import s from './MainMenu.module.css'
import { menuIcons } from './menu-icons'
import { MenuLink } from './MenuLink'
import { useMenuLinks, type MenuEntry } from './use-menu-links'
import { useTexts } from '../use-texts'

/** The menus of the header. Only the server renders them (`SiteMenus.tsx`). */
export function MainMenu() {
  const t = useTexts('menus')
  const { locale } = usePage()
  const linksOf = useMenuLinks()
  const overview = switchLocale({ route: 'solutions', params: {} }, locale)
  const allSolutions: MenuEntry[] = overview
    ? [
        {
          key: 'all',
          name: 'solutions',
          href: href(locale, overview.route),
          text: t('allSolutions'),
        },
      ]
    : []
  return (
    <nav aria-label={t('mainNav')}>
      <ul className={s['menus']}>
        <Menu title={t('features')} track="header-menu-features" items={linksOf('features')} />
        <Menu
          title={t('NAVBAR_SOLUTIONS')}
          track="header-menu-solutions"
          items={[...allSolutions, ...linksOf('solutions')]}
          wide
        />
        <Menu title={t('resources')} track="header-menu-resources" items={linksOf('general')} />
        {linksOf('bar').map((entry) => (
          <li key={entry.key}>
            <MenuLink href={entry.href} text={entry.text} track={`header-${entry.name}`} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

type MenuProps = {
  title: string
  /** Key of the title when it is clicked. */
  track: TrackKey
  items: readonly MenuEntry[]
  wide?: boolean
}

/** A menu of the bar. Menus share a name, so that the browser closes one when another opens. */
function Menu({ title, track, items, wide = false }: MenuProps) {
  return (
    <li className={s['item']}>
      <details className={s['menu']} name="menu">
        <summary className={s['title']} data-track={track}>
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
