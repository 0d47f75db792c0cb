import { lazy, type FunctionComponent } from 'react'
import type { IconName } from '../icons/names'

export type ConsoleView = {
  /** Below `/_ops/console/`. */
  path: string
  title: string
  icon: IconName
  component: FunctionComponent
}

/** A view that is fetched when it is first opened. */
const view = <Name extends string>(
  path: string,
  title: string,
  icon: IconName,
  name: Name,
  load: () => Promise<Record<Name, FunctionComponent>>,
): ConsoleView => ({
  path,
  title,
  icon,
  component: lazy(async (): Promise<{ default: FunctionComponent }> => ({
    default: (await load())[name],
  })),
})

/** The views in the order of the menu; the first is also at `/_ops/console`. */
export const consoleViews: readonly ConsoleView[] = [
  view('overview', 'Overview', 'chart', 'Overview', () => import('./views/Overview')),
  view('pages', 'Pages', 'layers', 'Pages', () => import('./views/Pages')),
  view(
    'translations',
    'Translations',
    'language',
    'Translations',
    () => import('./views/Translations'),
  ),
  view('addresses', 'Addresses', 'link', 'Addresses', () => import('./views/Addresses')),
  view('search', 'Search', 'search', 'Search', () => import('./views/Search')),
  view('messages', 'Messages', 'mail', 'Messages', () => import('./views/Messages')),
  view('privacy', 'Privacy', 'shield', 'Privacy', () => import('./views/Privacy')),
  view('system', 'System', 'monitor', 'System', () => import('./views/System')),
]

/** The operators' sessions, which the header links. */
export const sessionsView = view(
  'sessions',
  'Sessions',
  'user',
  'Sessions',
  () => import('./views/Sessions'),
)
