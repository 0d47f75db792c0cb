/** How a cell is shown: words, a number of things, ms, or the score of a layout that moves. */
export type ColumnKind = 'text' | 'count' | 'ms' | 'score'
export type Column = {
  name: string
  kind: ColumnKind
  /** Which web vital a number is, for its verdict. */ vital?: 'lcp' | 'inp' | 'cls'
}
export type Cell = string | number | null

/** One table of the insights: the page shows its first rows, the export all. */
export type InsightTable = {
  /** What an export is asked for by. */
  id: string
  title: string
  /** What is counted, where the title does not say it. */
  about: string
  columns: readonly Column[]
  rows: ReadonlyArray<readonly Cell[]>
  /** The column whose numbers are drawn as bars. */
  bar?: number
}
