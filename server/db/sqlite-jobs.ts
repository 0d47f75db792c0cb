/** What a SQLite worker thread is started with. */
export type SqliteFile = {
  file: string
  /** Only reads. */
  isForReports: boolean
}
/** Messages between the server and the SQLite worker thread. */
export type Row = Record<string, unknown>
/** A parameter of a statement. It is sent to the thread as JSON, so it has a type that JSON has. */
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
/** `jobs` is a `Job[]` as JSON: to another thread, Node copies one text faster than many values. */
export type ToWorker = { jobs: string } | { close: true }
export type FromWorker = { opened: true } | { failed: string } | { outcomes: readonly Outcome[] }
