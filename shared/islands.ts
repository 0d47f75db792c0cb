/** Fragments that only the server renders; their code never reaches the browser (decisions 6). */
export const islandNames = [
  'RelatedArticles',
  'ComparisonTable',
  'ReleaseList',
  'HighlightedCode',
] as const
export type IslandName = (typeof islandNames)[number]
export const isIslandName = (value: string): value is IslandName =>
  (islandNames as readonly string[]).includes(value)

/** Flat and textual, so that they have one spelling in an address. */
export type IslandProps = Readonly<Record<string, string>>

/** An island as a page uses it: made by the page's loader, handed to `<Island>` as it is. */
export type IslandUse = { name: IslandName; props: IslandProps; url: string }
