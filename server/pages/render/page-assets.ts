import { pageFileOf, type RouteId } from '../../../shared/routes/table'
import type { AssetGroup, Build } from '../../build-info'

/** `linkHeader` preloads the files while the HTML is still on its way. */
type PageAssets = AssetGroup & { linkHeader: string }

/** Style sheets and scripts of each page: those of the entry, and those of its own chunk. */
export function createPageAssets({
  assets,
}: Pick<Build, 'assets'>): (route: RouteId) => PageAssets {
  const byRoute = new Map<RouteId, PageAssets>()

  function pageAssets(route: RouteId): PageAssets {
    const page = assets.pages[pageFileOf(route)]
    const js = [...assets.main.js, ...(page?.js ?? [])]
    const css = [...new Set([...assets.main.css, ...(page?.css ?? [])])]
    // The first paint needs no script, so scripts must not compete with style sheets.
    const linkHeader = [
      ...css.map((file) => `<${file}>; rel=preload; as=style`),
      ...js.map((file) => `<${file}>; rel=preload; as=script; fetchpriority=low`),
    ].join(', ')
    return { js, css, linkHeader }
  }

  return function pageAssetsOf(route) {
    const known = byRoute.get(route) ?? pageAssets(route)
    byRoute.set(route, known)
    return known
  }
}
