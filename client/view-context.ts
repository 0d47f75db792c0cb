import { createContext, useContext } from 'react'
import type { IslandUse } from '../shared/islands'
import type { BodyView, IslandHtml } from '../shared/view'

/**
 * HTML of the main menu and of the footer's columns, with the links of a page marked, and of the end
 * of the footer.
 */
export type Menus = { main: string; footer: string; end: string }

/**
 * The current page, and what only the renderer knows: URLs of assets, HTML of islands
 * and menus.
 */
export type ViewScope = {
  view: BodyView
  asset: (name: string) => string
  /** Null in the browser, which keeps the server's markup. */
  island: ((use: IslandUse) => IslandHtml) | null
  /** Only the server renders them. Null: this page was loaded without menus. */
  menus: Menus | null
}

export const ViewContext = createContext<ViewScope | null>(null)

/** The URL of a file of the build by its name. Islands have it too, although they have no page. */
export const AssetContext = createContext<(name: string) => string>(() => '')

export function useScope(): ViewScope {
  const scope = useContext(ViewContext)
  if (!scope) throw new Error('a component was rendered outside of <App>')
  return scope
}

/** The current page: language, route, site, equivalent pages in other languages. */
export const usePage = (): BodyView => useScope().view
