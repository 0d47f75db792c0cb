import { createContext, useContext } from 'react'
import type { IslandUse } from '../shared/islands'
import type { BodyView, IslandHtml } from '../shared/view'

/**
 * HTML of menus. `aria-current` marks the links to the page that the server rendered and to the
 * pages above it. The strings stay the same in the browser; after a navigation without a load
 * `markCurrentLinks` changes the marks in the document.
 */
export type Menus = {
  /** The main menu, with marks. */
  main: string
  /** The columns of the footer, with marks. */
  footer: string
  /** The end of the footer. It links to no page of the site, so it has no marks. */
  end: string
}

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
