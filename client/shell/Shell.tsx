import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import s from './Shell.module.css'
import { SiteFooter } from './SiteFooter'
import { SiteHeader } from './SiteHeader'

/** What surrounds every ordinary page. Works without script: menus and drawer are `details`. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <>
      <a className={s['skip']} href="#main">
        {t('skip')}
      </a>
      <SiteHeader />
      <main id="main" className={s['main']} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  )
}
