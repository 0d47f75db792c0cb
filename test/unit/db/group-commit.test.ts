import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createGroupCommit } from '../../../server/db/group-commit'
import type { Job, Outcome } from '../../../server/db/sqlite-jobs'
import { temporaryFolder } from '../../../testing/release-with-tests'

let folder = ''
let db: Database.Database
let answers: Outcome[][] = []
let group: ReturnType<typeof createGroupCommit>
beforeEach(() => {
  folder = temporaryFolder('group-commit')
  db = new Database(join(folder, 'a.db'), { timeout: 50 })
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  answers = []
  group = createGroupCommit(db, (outcomes) => void answers.push(outcomes))
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

let next = 1
const insert = (id: number, text = 'x'): Job => ({
  id: next++,
  sql: 'INSERT INTO t VALUES (?, ?)',
  parameters: [id, text],
})
const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 5))
const stored = (): number[] =>
  (db.prepare('SELECT id FROM t ORDER BY id').all() as Array<{ id: number }>).map(({ id }) => id)
const codes = (): string[] => answers.flat().map((outcome) => outcome.error?.code ?? 'ok')

describe('a group of statements', () => {
  it('is answered together, after one commit', async () => {
    group.add([insert(1), insert(2)])
    group.add([insert(3)])
    expect(answers).toEqual([])
    await turn()
    expect(answers.map((outcomes) => outcomes.length)).toEqual([3])
    expect(stored()).toEqual([1, 2, 3])
  })

  it('with a constraint violation: only that statement fails', async () => {
    group.add([
      insert(1),
      insert(1),
      { id: next++, sql: 'INSERT INTO nowhere VALUES (1)', parameters: [] },
      insert(2),
    ])
    await turn()
    expect(codes()).toEqual(['ok', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_ERROR', 'ok'])
    expect(stored()).toEqual([1, 2])
  })

  it('fails as a whole when the disk is full; later statements that fit are stored', async () => {
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 2}`)
    group.add([insert(1), insert(2, 'x'.repeat(50_000)), insert(3)])
    await turn()
    expect(codes()).toEqual(['SQLITE_FULL', 'SQLITE_FULL', 'SQLITE_FULL'])
    expect(stored()).toEqual([])
    group.add([insert(4)])
    await turn()
    expect(stored()).toEqual([4])
  })

  it('fails while another process locks the file; reads still succeed', async () => {
    const other = new Database(join(folder, 'a.db'))
    other.exec('BEGIN IMMEDIATE')
    group.add([insert(1), { id: next++, sql: 'SELECT count(*) AS n FROM t', parameters: [] }])
    await turn()
    await turn()
    expect(
      answers.map((outcomes) =>
        outcomes.map((outcome) => ('rows' in outcome ? outcome.rows : outcome.error.code)),
      ),
    ).toEqual([[[{ n: 0 }]], ['SQLITE_BUSY']])
    other.exec('ROLLBACK')
    other.close()
    group.add([insert(2)])
    await turn()
    expect(stored()).toEqual([2])
  })
})

describe('an explicit transaction', () => {
  const owned = (sql: string, owner: number): Job => ({ id: next++, sql, parameters: [], owner })
  it('makes other statements wait until it ends', async () => {
    group.add([owned('BEGIN IMMEDIATE', 7), insert(1), owned("INSERT INTO t VALUES (10, 'y')", 7)])
    await turn()
    expect(answers.length).toBe(2)
    group.add([owned('ROLLBACK', 7)])
    await turn()
    expect(stored()).toEqual([1])
  })

  it('that SQLite has rolled back on a full disk can be rolled back', async () => {
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 2}`)
    group.add([
      owned('BEGIN IMMEDIATE', 7),
      { ...insert(1, 'x'.repeat(50_000)), owner: 7 },
      owned('ROLLBACK', 7),
      insert(2),
    ])
    await turn()
    expect(codes()).toEqual(['ok', 'SQLITE_FULL', 'ok', 'ok'])
    expect(stored()).toEqual([2])
  })

  it('runs after the one before it has ended', async () => {
    group.add([
      owned('BEGIN IMMEDIATE', 1),
      owned('BEGIN IMMEDIATE', 2),
      owned("INSERT INTO t VALUES (1, 'a')", 1),
      owned("INSERT INTO t VALUES (2, 'b')", 2),
      owned('COMMIT', 1),
      owned('ROLLBACK', 2),
    ])
    await turn()
    expect(codes()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
    expect(stored()).toEqual([1])
  })
})
