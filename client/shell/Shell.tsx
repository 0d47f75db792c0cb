import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { signupBanner } from './signup-banner'
import { Floating } from './Floating'
import { LoadingBar } from './LoadingBar'
import { startPageScroll } from './page-scroll'
import s from './Shell.module.css'
import { SiteFooter } from './SiteFooter'
import { SiteHeader } from './SiteHeader'

/** What surrounds every ordinary page. Works without script: menus and drawer are `details`. */
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
      <Floating />
    </>
  )
}
