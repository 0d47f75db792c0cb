import type { ComponentType } from 'react'
import { benchRoutes, pageFileOf, routes, type RouteId } from '../shared/routes/table'
import type { PageData, PageKind } from '../shared/page-data'

export type PageProps<K extends PageKind> = { data: PageData[K] }
// The route table pairs a page with the kind of its data, which TypeScript cannot follow.
export type AnyPage = ComponentType<{ data: never }>

const loaded = new Map<RouteId, AnyPage>()

/**
 * Loads the code of a page, once: each file of `pages/` is a chunk. Rejects when the chunk cannot
 * be loaded.
 */
export async function loadPage(id: RouteId): Promise<AnyPage> {
  const known = loaded.get(id)
  if (known) return known
  // Every file of `pages/` exports its component as `Page`.
  const { Page } = (await import(
    /* webpackChunkName: "page-[request]" */ `./pages/${pageFileOf(id)}.tsx`
  )) as { Page: AnyPage }
  loaded.set(id, Page)
  return Page
}

export const loadedPage = (id: RouteId): AnyPage | undefined => loaded.get(id)

/** Loads all pages, for the server. */
export async function loadAllPages(): Promise<void> {
  await Promise.all(
    [...routes, ...benchRoutes]
      .filter((route) => !route.redirects)
      .map((route) => loadPage(route.id)),
  )
}
