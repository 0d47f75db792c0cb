import type { IslandUse } from '../../shared/islands'
import type { IslandAnswer, PayloadIsland } from '../../shared/payload'
import type { IslandHtml } from '../../shared/view'

/**
 * Markup of the islands of a page that the browser renders: what came with its payload, else fetched once by its
 * address. The same promise is given each time, as React's `use` needs; one that fails leaves the place empty, because a
 * fragment is not worth the page around it.
 */
export function createIslandSource(
  islands: readonly PayloadIsland[],
  get: (url: string) => Promise<Response> = (url) => fetch(url),
): (use: IslandUse) => IslandHtml {
  const known = new Map<string, IslandHtml>(
    islands.flatMap(({ url, html }) => (html === null ? [] : [[url, html] as const])),
  )
  const load = async (url: string): Promise<string> => {
    const response = await get(url)
    if (!response.ok) throw new Error(`island: status ${response.status}`)
    // Our own server's answer, of this very build: its hash stands in the address.
    return ((await response.json()) as IslandAnswer).html
  }
  return ({ url }) => {
    const html =
      known.get(url) ??
      load(url).catch((error: unknown) => {
        console.error(error)
        return ''
      })
    known.set(url, html)
    return html
  }
}
