import { createContext, useContext } from 'react'
import type { IslandUse } from '../shared/islands'
import type { IslandHtml, PageView } from '../shared/view'

/** The current page, and what only the renderer knows: URLs of assets, HTML of islands. */
export type ViewScope = {
  view: PageView
  asset: (name: string) => string
  /** Null in the browser, which keeps the server's markup. */
  island: ((use: IslandUse) => IslandHtml) | null
}

export const ViewContext = createContext<ViewScope | null>(null)

export function useScope(): ViewScope {
  const scope = useContext(ViewContext)
  if (!scope) throw new Error('a component was rendered outside of <App>')
  return scope
}

/** The current page: language, route, site, equivalent pages in other languages. */
export const usePage = (): PageView => useScope().view
