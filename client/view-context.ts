import { createContext, useContext } from 'react'
import type { IslandUse } from '../shared/islands'
import type { IslandHtml, PageView } from '../shared/view'

/** The page being shown, and what only the renderer knows: addresses of built files, HTML of islands. */
export type ViewScope = {
  view: PageView
  asset: (name: string) => string
  /** Null at hydration: the server's markup stays. */
  island: ((use: IslandUse) => IslandHtml) | null
}

export const ViewContext = createContext<ViewScope | null>(null)

export function useScope(): ViewScope {
  const scope = useContext(ViewContext)
  if (!scope) throw new Error('a component of the site was rendered outside <App>')
  return scope
}

/** The page being shown: language, route, site, equivalents in other languages. */
export const usePage = (): PageView => useScope().view
