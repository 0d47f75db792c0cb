export type Theme = 'light' | 'dark'
type Place = {
  root: HTMLElement
  /** Null where the browser forbids storage. */ storage: Pick<Storage, 'setItem'> | null
}
type Watched = { page: Window; root: HTMLElement; system: MediaQueryList }

/** Read before the first paint by the constant script in `server/pages/render/content-security-policy.ts`. */
const key = 'theme'
const themeOf = (value: string | null | undefined): Theme | null =>
  value === 'light' || value === 'dark' ? value : null

/** What is seen: the visitor's choice, else the system's. */
export const shownTheme = (root: HTMLElement, systemIsDark: boolean): Theme =>
  themeOf(root.dataset['theme']) ?? (systemIsDark ? 'dark' : 'light')

/** Shows a theme now and on the next pages. */
export function chooseTheme(theme: Theme, { root, storage }: Place): void {
  root.dataset['theme'] = theme
  try {
    storage?.setItem(key, theme)
  } catch {
    // A full storage: the choice holds for this page.
  }
}

/** Follows the system and the choice made in another tab; `changed` is called after each change. */
export function startTheme({ page, root, system }: Watched, changed: () => void): () => void {
  const stored = (event: StorageEvent): void => {
    const theme = event.key === key ? themeOf(event.newValue) : null
    if (!theme) return
    root.dataset['theme'] = theme
    changed()
  }
  page.addEventListener('storage', stored)
  system.addEventListener('change', changed)
  return () => {
    page.removeEventListener('storage', stored)
    system.removeEventListener('change', changed)
  }
}
