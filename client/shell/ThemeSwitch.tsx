import { useCallback, useSyncExternalStore } from 'react'
import { Icon } from '../components/Icon'
import { localStorageOrNull } from '../platform/browser-storage'
import { chooseTheme, currentTheme, watchTheme } from './theme'
import { useTexts } from '../use-texts'
import s from '../components/HeaderButton.module.css'

const systemIsDark = (): MediaQueryList => window.matchMedia('(prefers-color-scheme: dark)')

/**
 * Switches between light and dark. The server does not know the visitor's theme, so the style sheet
 * decides which of the two icons is visible.
 */
export function ThemeSwitch() {
  const t = useTexts('shell')
  const subscribe = useCallback((changed: () => void) => {
    const root = document.documentElement
    const observer = new MutationObserver(changed)
    observer.observe(root, { attributeFilter: ['data-theme'] })
    const stop = watchTheme({ window: window, root, system: systemIsDark() }, changed)
    return () => {
      observer.disconnect()
      stop()
    }
  }, [])
  const theme = useSyncExternalStore(
    subscribe,
    () => currentTheme(document.documentElement, systemIsDark().matches),
    () => null,
  )
  return (
    <button
      type="button"
      className={s['button']}
      data-shell="theme"
      data-track="header-theme"
      aria-label={t('theme')}
      aria-pressed={theme ? theme === 'dark' : undefined}
      onClick={() =>
        chooseTheme(theme === 'dark' ? 'light' : 'dark', {
          root: document.documentElement,
          storage: localStorageOrNull(),
        })
      }
    >
      <Icon name="moon" size={22} className={s['moon']} />
      <Icon name="sun" size={22} className={s['sun']} />
    </button>
  )
}
