type Theme = 'light' | 'dark'
type ThemeTarget = {
  root: HTMLElement
  /** Null where the browser forbids storage. */
  storage: Pick<Storage, 'setItem'> | null
}
type ThemeSources = {
  window: Window
  root: HTMLElement
  /** Whether the system prefers dark. */
  system: MediaQueryList
}

/**
 * The inline script of `server/pages/render/content-security-policy.ts` reads it before the first
 * paint.
 */
const storageKey = 'theme'
const parseTheme = (value: string | null | undefined): Theme | null =>
  value === 'light' || value === 'dark' ? value : null

/** The visitor's choice, else the system's preference. */
export const currentTheme = (root: HTMLElement, systemIsDark: boolean): Theme =>
  parseTheme(root.dataset['theme']) ?? (systemIsDark ? 'dark' : 'light')

/** Applies a theme to this page and stores it for the next ones. */
export function chooseTheme(theme: Theme, { root, storage }: ThemeTarget): void {
  root.dataset['theme'] = theme
  try {
    storage?.setItem(storageKey, theme)
  } catch {
    // The storage is full: the choice is valid for this page only.
  }
}

/**
 * Applies a choice made in another tab. `onChange` runs after it and after a change of the system.
 */
export function watchTheme(
  { window, root, system }: ThemeSources,
  onChange: () => void,
): () => void {
  const onStorage = (event: StorageEvent): void => {
    const theme = event.key === storageKey ? parseTheme(event.newValue) : null
    if (!theme) return
    root.dataset['theme'] = theme
    onChange()
  }
  window.addEventListener('storage', onStorage)
  system.addEventListener('change', onChange)
  return () => {
    window.removeEventListener('storage', onStorage)
    system.removeEventListener('change', onChange)
  }
}
