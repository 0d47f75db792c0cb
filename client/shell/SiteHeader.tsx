import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { breakpoints } from '../../shared/constants'
import { switchLocale } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { navIn } from '../../shared/routes/nav'
import { ButtonLink } from '../components/ButtonLink'
import { Icon } from '../components/Icon'
import { Logo } from '../components/Logo'
import { usePage } from '../view-context'
import { startHeaderMenus } from './header-menus'
import { LanguageMenu } from './LanguageMenu'
import { Menu, MenuLink } from './Menu'
import { menuText } from './menu-text'
import { SearchButton } from '../search/SearchButton'
import s from './SiteHeader.module.css'
import { ThemeSwitch } from './ThemeSwitch'

/** Shown in the bar itself, not inside the third menu. */
const direct: readonly string[] = ['NAVBAR_PRICING', 'NAVBAR_DOWNLOAD']

export function SiteHeader() {
  const { t } = useTranslation()
  const { locale, site } = usePage()
  const header = useRef<HTMLElement>(null)
  useEffect(
    () =>
      header.current
        ? startHeaderMenus({
            header: header.current,
            wide: window.matchMedia(`(min-width: ${breakpoints.md}px)`),
          })
        : undefined,
    [],
  )
  const items = (menu: 'general' | 'solutions' | 'features') =>
    navIn(menu, locale, site.preSales ? [] : ['pre-sales']).map((entry) => ({
      key: entry.key,
      href: entry.href,
      text: menuText(t, entry.key),
    }))
  const general = items('general')
  const overview = switchLocale({ route: 'solutions', params: {} }, locale)
  const solutions = items('solutions')
  if (overview)
    solutions.unshift({ key: 'all', href: href(locale, overview.route), text: t('allSolutions') })
  return (
    <header ref={header} className={s['header']}>
      <div className={`wrap ${s['bar']}`}>
        <a className={s['brand']} href={href(locale, 'home')} aria-label={t('homeLink')}>
          <Logo />
          <span>{site.brand}</span>
        </a>
        {/* The panel follows the switch instead of lying inside it: so the same list is the drawer and the bar. */}
        <details className={s['toggle']} data-drawer="">
          <summary>
            <Icon name="menu" className={s['open']} />
            <Icon name="close" className={s['close']} />
            <span className="sr-only">{t('menu')}</span>
          </summary>
        </details>
        <div className={s['panel']}>
          <nav aria-label={t('mainNav')}>
            <ul className={s['menus']}>
              <Menu title={t('features')} items={items('features')} />
              <Menu title={t('NAVBAR_SOLUTIONS')} items={solutions} wide />
              <Menu
                title={t('resources')}
                items={general.filter((entry) => !direct.includes(entry.key))}
              />
              {general
                .filter((entry) => direct.includes(entry.key))
                .map((entry) => (
                  <li key={entry.key}>
                    <MenuLink href={entry.href} text={entry.text} />
                  </li>
                ))}
            </ul>
          </nav>
          <div className={s['account']}>
            <a className={s['login']} href={site.loginUrl} data-action="login">
              {t('login')}
            </a>
            <ButtonLink href={site.registerUrl} look="quiet" action="register">
              {t('register')}
            </ButtonLink>
          </div>
        </div>
        <div className={s['choices']}>
          <SearchButton />
          <ThemeSwitch />
          <LanguageMenu />
        </div>
      </div>
    </header>
  )
}
