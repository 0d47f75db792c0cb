import { Icon } from '../../components/Icon'
import { localStorageOrNull } from '../../platform/browser-storage'
import { chooseTheme, currentTheme } from '../../shell/theme'
import s from '../../components/HeaderButton.module.css'

/** Switches between light and dark, with the choice that the site's pages use too. */
export function ThemeButton() {
  const toggle = (): void => {
    const root = document.documentElement
    const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)').matches
    const next = currentTheme(root, systemIsDark) === 'dark' ? 'light' : 'dark'
    chooseTheme(next, { root, storage: localStorageOrNull() })
  }
  return (
    <button
      type="button"
      className={s['button']}
      data-shell="theme"
      aria-label="Switch between light and dark"
      onClick={toggle}
    >
      <Icon name="moon" size={22} className={s['moon']} />
      <Icon name="sun" size={22} className={s['sun']} />
    </button>
  )
}
