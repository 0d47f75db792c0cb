import { useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../components/Icon'
import { browserStorage } from '../platform/browser-storage'
import { chooseTheme, shownTheme, startTheme } from './theme'
import s from '../components/HeaderButton.module.css'

const systemIsDark = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)')

/** Light or dark. The server does not know which is seen: which symbol shows is a matter of style. */
export function ThemeSwitch() {
  const { t } = useTranslation()
  const subscribe = useCallback((changed: () => void) => {
    const root = document.documentElement
    const observer = new MutationObserver(changed)
    observer.observe(root, { attributeFilter: ['data-theme'] })
    const stop = startTheme({ page: window, root, system: systemIsDark() }, changed)
    return () => {
      observer.disconnect()
      stop()
    }
  }, [])
  const theme = useSyncExternalStore(
    subscribe,
    () => shownTheme(document.documentElement, systemIsDark().matches),
    () => null,
  )
  return (
    <button
      type="button"
      className={s['switch']}
      data-shell="theme"
      aria-label={t('theme')}
      aria-pressed={theme ? theme === 'dark' : undefined}
      onClick={() =>
        chooseTheme(theme === 'dark' ? 'light' : 'dark', {
          root: document.documentElement,
          storage: browserStorage(),
        })
      }
    >
      <Icon name="moon" size={22} className={s['moon']} />
      <Icon name="sun" size={22} className={s['sun']} />
    </button>
  )
}
