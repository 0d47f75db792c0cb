import type { IslandUse } from '../../shared/islands'
import type { IslandResponse, PayloadIsland } from '../../shared/payload'
import type { IslandHtml } from '../../shared/view'
import { pageFetch } from '../platform/retrying-fetch'

/**
 * HTML of the islands of a page that the browser renders: taken from its payload, else fetched once
 * by address. A repeated call returns the same promise, as React's `use` requires. A failed fetch
 * gives an empty island instead of failing the page.
 */
export function createIslandLoader(
  islands: readonly PayloadIsland[],
): (use: IslandUse) => IslandHtml {
  const htmlByUrl = new Map<string, IslandHtml>(
    islands.flatMap(({ url, html }) => (html === null ? [] : [[url, html] as const])),
  )
  return ({ url }) => {
    const html =
      htmlByUrl.get(url) ??
      fetchIsland(url).catch((error: unknown) => {
        console.error(error)
        return ''
      })
    htmlByUrl.set(url, html)
    return html
  }
}

async function fetchIsland(url: string): Promise<string> {
  const response = await pageFetch(url)
  if (!response.ok) throw new Error(`island: status ${response.status}`)
  // Cast: the answer of our own server; the hash in the address names this build.
  return ((await response.json()) as IslandResponse).html
}
