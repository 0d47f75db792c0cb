import type { Database } from 'better-sqlite3'
import { errorCode } from './errors'

/** How long to try again while another process has the file locked (ms). */
const maxWaitMs = 2000
const pauseMs = 5
const pause = new Int32Array(new SharedArrayBuffer(4))

/**
 * Makes a database use a write-ahead log. SQLite fails at once while another process does the same,
 * whatever `timeout` is; then this tries again. Blocks the thread meanwhile. Throws the error of
 * SQLite when the file stays locked.
 */
export function enableWriteAheadLog(db: Database): void {
  const giveUpAt = Date.now() + maxWaitMs
  for (;;) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (errorCode(error) !== 'SQLITE_BUSY' || Date.now() > giveUpAt) throw error
      Atomics.wait(pause, 0, 0, pauseMs)
    }
  }
}
