/** Fragments that only the server renders: the browser never loads their code (spec 6.4). */
export const islandNames = [
  'RelatedArticles',
  'ComparisonTable',
  'LandingBody',
  'LandingHeroPicture',
  'ReleaseList',
  'HighlightedCode',
  'DownloadFiles',
  'SimilarPages',
] as const
export type IslandName = (typeof islandNames)[number]
export const isIslandName = (value: string): value is IslandName =>
  islandNames.some((name) => name === value)

/** Flat and made of strings, so that they have exactly one spelling in a URL. */
export type IslandProps = Readonly<Record<string, string>>

/** An island that a page shows: created by the page's loader, passed to `<Island>`. */
export type IslandUse = { name: IslandName; props: IslandProps; url: string }
