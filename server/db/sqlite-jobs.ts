/** What a SQLite worker thread is started with. */
export type SqliteFile = {
  file: string
  /** Only reads. */
  isForReports: boolean
}
/** Messages between the server and the SQLite worker thread. */
export type Row = Record<string, unknown>
/** A value that JSON can hold. */
export type Parameter = string | number | null
export type Job = {
  id: number
  sql: string
  parameters: readonly Parameter[]
  /** The explicit transaction that the job belongs to. Jobs without one share a commit. */
  owner?: number
}
export type Outcome =
  | { id: number; rows: Row[]; changes: number; error?: undefined }
  | { id: number; error: { code: string; message: string } }
/** `jobs`: JSON of `Job[]`. Node copies one text much faster than the hundreds of values in it. */
export type ToWorker = { jobs: string } | { close: true }
export type FromWorker = { opened: true } | { failed: string } | { outcomes: readonly Outcome[] }
