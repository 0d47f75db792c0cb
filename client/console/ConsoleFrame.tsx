import { useEffect, useRef, type ReactNode } from 'react'
import { Link, NavLink, useLocation } from 'react-router-dom'
import type { ConsolePageData } from '../../shared/console/page-data'
import { Icon } from '../components/Icon'
import { Logo } from '../components/Logo'
import { ThemeButton } from './components/ThemeButton'
import { consoleViews, sessionsView } from './views'
import s from './ConsoleFrame.module.css'

/** On phones the menu is a row that scrolls sideways; shows the link of the current view. */
function scrollToCurrent(menu: HTMLElement | null): void {
  const link = menu?.querySelector('[aria-current="page"]')
  if (!menu || !link) return
  const [around, own] = [menu.getBoundingClientRect(), link.getBoundingClientRect()]
  menu.scrollLeft += own.left + own.width / 2 - (around.left + around.width / 2)
}

/** Header, menu and the current view. After a navigation the view has the focus. */
export function ConsoleFrame({ data, children }: { data: ConsolePageData; children: ReactNode }) {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const menu = useRef<HTMLElement>(null)
  const shownPath = useRef(pathname)
  useEffect(() => {
    scrollToCurrent(menu.current)
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <div className={s['frame']}>
      <a className={s['skip']} href="#view">
        Skip to the view
      </a>
      <header className={s['header']}>
        <Link className={s['brand']} to="/">
          <Logo />
          <span>{data.brand}</span>
        </Link>
        <Link className={s['operator']} to={`/${sessionsView.path}`}>
          <Icon name="user" size={20} />
          <span>{data.operator}</span>
          <span className="sr-only">: sessions and sign-out</span>
        </Link>
        <ThemeButton />
      </header>
      <nav ref={menu} className={s['menu']} aria-label="Views">
        <ul>
          {consoleViews.map(({ path, title, icon }) => (
            <li key={path}>
              <NavLink className={s['link'] ?? ''} to={`/${path}`}>
                <Icon name={icon} size={20} />
                {title}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <main ref={main} id="view" className={s['main']} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
