import { useEffect, useRef, type ReactNode } from 'react'
import { breakpoints } from '../../shared/constants'
import { href } from '../../shared/routes/href'
import { ButtonLink } from '../components/ButtonLink'
import { Icon } from '../components/Icon'
import { Logo } from '../components/Logo'
import { ServerHtml } from '../components/ServerHtml'
import { SearchButton } from '../search/SearchButton'
import { usePage, useScope } from '../view-context'
import { startHeaderMenus } from './header-menus'
import { LanguageMenu } from './LanguageMenu'
import './MainMenu.module.css'
import s from './SiteHeader.module.css'
import { ThemeSwitch } from './ThemeSwitch'
import { showAlert } from './toasts'
import { useTexts } from '../use-texts'

export function SiteHeader() {
  const t = useTexts('shell')
  const { locale, site } = usePage()
  const { menus } = useScope()
  const header = useRef<HTMLElement>(null)
  useEffect(
    () =>
      header.current
        ? startHeaderMenus({
            header: header.current,
            isWide: window.matchMedia(`(min-width: ${breakpoints.md}px)`),
          })
        : undefined,
    [],
  )
  return (
    <header ref={header} className={s['header']}>
      <div className={`wrap ${s['bar']}`}>
        <a
          className={s['brand']}
          data-track="header-home"
          href={href(locale, 'home')}
          aria-label={t('homeLink')}
        >
          <Logo />
          <span>{site.brand}</span>
        </a>
        <Drawer>
          <ServerHtml data-menus="main" html={menus?.main ?? ''} />
          <div className={s['account']}>
            <a
              className={s['login']}
              data-track="header-login"
              href={site.loginUrl}
              data-action="login"
            >
              {t('login')}
            </a>
            <ButtonLink
              href={site.registerUrl}
              track="header-register"
              exposed={false}
              variant="secondary"
              action="register"
            >
              {t('register')}
            </ButtonLink>
          </div>
        </Drawer>
        <div className={s['choices']}>
          <SearchButton alert={showAlert} />
          <ThemeSwitch />
          <LanguageMenu />
        </div>
      </div>
    </header>
  )
}

/** On narrow screens a drawer with a button; on wide screens its content is part of the bar. */
function Drawer({ children }: { children: ReactNode }) {
  const t = useTexts('shell')
  return (
    <>
      {/* The panel follows the button instead of being inside it, so the bar can show it too. */}
      <details className={s['toggle']} data-drawer="">
        <summary data-track="header-drawer">
          <Icon name="menu" className={s['open']} />
          <Icon name="close" className={s['close']} />
          <span className="sr-only">{t('menu')}</span>
        </summary>
      </details>
      <div className={s['panel']}>{children}</div>
    </>
  )
}
