/** What a SQLite worker thread is started with. */
export type SqliteFile = {
  file: string
  /** Only reads. */
  isForReports: boolean
}
/** Messages between the server and the SQLite worker thread. */
export type Row = Record<string, unknown>
export type Job = {
  id: number
  sql: string
  parameters: readonly unknown[]
  /** The explicit transaction that the job belongs to. Jobs without one share a commit. */
  owner?: number
}
export type Outcome =
  | { id: number; rows: Row[]; changes: number; error?: undefined }
  | { id: number; error: { code: string; message: string } }
export type ToWorker = { jobs: readonly Job[] } | { close: true }
export type FromWorker = { opened: true } | { failed: string } | { outcomes: readonly Outcome[] }
