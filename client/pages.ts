/**
 * One lazy chunk a page. The file is named after the route's id (`blog-article` -> `pages/BlogArticle.tsx`), so a new
 * page needs no list of imports: a route row and a file are enough.
 */
import type { ComponentType } from 'react'
import { pageFileOf } from '../shared/routes/page-file'
import { benchRoutes, routes, type RouteId } from '../shared/routes/table'
import type { PageData, PageKind } from '../shared/page-data'

export type PageProps<K extends PageKind> = { data: PageData[K] }
// Each page takes the data of its own kind; the route table pairs them, which the type system cannot follow.
export type AnyPage = ComponentType<{ data: never }>

const loaded = new Map<RouteId, AnyPage>()

/** Fetches a page's code once; rejects when the chunk cannot be fetched. */
export async function loadPage(id: RouteId): Promise<AnyPage> {
  const known = loaded.get(id)
  if (known) return known
  const module: { Page: AnyPage } = await import(
    /* webpackChunkName: "page-[request]" */ `./pages/${pageFileOf(id)}.tsx`
  )
  loaded.set(id, module.Page)
  return module.Page
}

export const loadedPage = (id: RouteId): AnyPage | undefined => loaded.get(id)

/** All pages at once, for the server. */
export async function loadAllPages(): Promise<void> {
  await Promise.all(
    [...routes, ...benchRoutes]
      .filter((route) => !route.redirects)
      .map((route) => loadPage(route.id)),
  )
}
