import { useEffect, type ReactNode } from 'react'
import { signupBanner } from './signup-banner'
import { usePage } from '../view-context'
import { LazyFloatingParts } from './LazyFloatingParts'
import { markCurrentLinks } from './menu-html'
import { startPageScroll } from './page-scroll'
import s from './Shell.module.css'
import { SiteFooter } from './SiteFooter'
import { SiteHeader } from './SiteHeader'
import { useTexts } from '../use-texts'

type Props = {
  /** Whether the page shows the header and the footer. */
  hasMenus: boolean
  children: ReactNode
}

/**
 * Header, footer and floating elements around a page. Menus and the mobile drawer are `details`
 * elements, so they work without script.
 */
export function Shell({ hasMenus, children }: Props) {
  const t = useTexts('shell')
  const { path } = usePage()
  useEffect(() => {
    const stops = [startPageScroll(), signupBanner.start()]
    return () => stops.forEach((stop) => stop())
  }, [])
  useEffect(() => markCurrentLinks(document, path), [path, hasMenus])
  return (
    <>
      {hasMenus && (
        <>
          <a className={s['skip']} data-track="header-skip" href="#main">
            {t('skip')}
          </a>
          <SiteHeader />
        </>
      )}
      <main id="main" className={s['main']} tabIndex={-1}>
        {children}
      </main>
      {hasMenus && <SiteFooter />}
      <LazyFloatingParts />
    </>
  )
}
