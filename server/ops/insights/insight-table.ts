/** `score` is the unit of layout shift (CLS). */
export type ColumnKind = 'text' | 'count' | 'ms' | 'score'
export type Column = {
  name: string
  kind: ColumnKind
  /** The web vital that the column shows, for its rating. */
  vital?: 'lcp' | 'inp' | 'cls'
}
export type Cell = string | number | null

/** One table of the insights: the page shows its first rows, the CSV file all of them. */
export type InsightTable = {
  /** Names the table in the URL of its CSV file. */
  id: string
  title: string
  /** Says what is counted, where the title does not. */
  description: string
  columns: readonly Column[]
  rows: ReadonlyArray<readonly Cell[]>
  /** Index of the column whose numbers are drawn as bars. */
  barColumn?: number
}
