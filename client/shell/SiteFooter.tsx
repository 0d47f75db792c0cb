import { useSyncExternalStore } from 'react'
import { ServerHtml } from '../components/ServerHtml'
import { useScope } from '../view-context'
import { LanguageLinks } from './LanguageMenu'
import { consentStore } from './service-stores'
import { useTexts } from '../use-texts'
import s from './SiteFooter.module.css'

export function SiteFooter() {
  const t = useTexts('shell')
  const { menus } = useScope()
  return (
    <footer className={s['footer']}>
      <div className="wrap">
        <ServerHtml data-menus="footer" className={s['groups']} html={menus?.footer ?? ''} />
        <nav className={s['languages']} aria-labelledby="footer-languages">
          <h2 id="footer-languages" className={s['title']}>
            {t('languages')}
          </h2>
          <LanguageLinks track="footer-language" />
        </nav>
        <div className={s['end']}>
          <ServerHtml data-menus="end" className={s['about']} html={menus?.end ?? ''} />
          <ConsentButton />
        </div>
      </div>
    </footer>
  )
}

/** Opens the consent banner. Invisible until it works, which is never without script. */
function ConsentButton() {
  const t = useTexts('shell')
  // Hydration must render what the server did, even when the services have already started.
  const consent = useSyncExternalStore(consentStore.subscribe, consentStore.get, () => null)
  return (
    <button
      type="button"
      className={s['choice']}
      data-action="consent"
      data-track="footer-consent"
      disabled={!consent}
      onClick={() => consent?.showBanner()}
    >
      {t('consent.change')}
    </button>
  )
}
