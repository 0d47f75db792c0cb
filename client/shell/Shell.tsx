import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { signupBanner } from './signup-banner'
import { LazyFloatingParts } from './LazyFloatingParts'
import { LoadingBar } from './LoadingBar'
import { startPageScroll } from './page-scroll'
import s from './Shell.module.css'
import { SiteFooter } from './SiteFooter'
import { SiteHeader } from './SiteHeader'

/**
 * Header, footer and floating elements around every ordinary page. Menus and the mobile drawer are
 * `details` elements, so they work without script.
 */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  useEffect(() => {
    const stops = [startPageScroll(), signupBanner.start()]
    return () => stops.forEach((stop) => stop())
  }, [])
  return (
    <>
      <a className={s['skip']} href="#main">
        {t('skip')}
      </a>
      <LoadingBar />
      <SiteHeader />
      <main id="main" className={s['main']} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <LazyFloatingParts />
    </>
  )
}
