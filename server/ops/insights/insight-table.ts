export type Cell = string | number | null

/** One table of the insights, served as a CSV file. */
export type InsightTable = {
  /** Names the table in the URL of its CSV file. */
  id: string
  columns: readonly string[]
  rows: ReadonlyArray<readonly Cell[]>
}
