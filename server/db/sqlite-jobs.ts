/** What server and SQLite worker say to each other. */
export type Row = Record<string, unknown>
export type Job = {
  id: number
  sql: string
  parameters: readonly unknown[]
  /** The transaction that the job belongs to; without: any commit. */
  owner?: number
}
export type Outcome =
  | { id: number; rows: Row[]; changes: number; error?: undefined }
  | { id: number; error: { code: string; message: string } }
export type ToWorker = { jobs: readonly Job[] } | { close: true }
export type FromWorker = { opened: true } | { failed: string } | { outcomes: readonly Outcome[] }
