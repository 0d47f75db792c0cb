import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from '@jest/globals'
import { readSettings } from '../../../server/env'
import { backupCommand } from '../../../server/ops/backup/backup-command'
import { checkSqliteFile } from '../../../server/ops/backup/check-sqlite-file'
import type { CopyEndpoint, Row } from '../../../server/ops/backup/copy-endpoint'
import { copyStore } from '../../../server/ops/backup/copy-store'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

it.each(['0', '-1', '1.5', '10000', 'all'])(
  '--keep=%s is refused before anything is done',
  (keep) =>
    expect(
      backupCommand(
        {
          settings: readSettings({}, root),
          open: () => {
            throw new Error('the database was opened')
          },
          cwd: root,
        },
        ['backup', `--keep=${keep}`],
      ),
    ).rejects.toThrow('--keep takes a whole number from 1 to 9999'),
)

it('a file whose rows refer to rows that do not exist is damaged', () => {
  const file = join(temporaryFolder('backup'), 'site.db')
  const db = new Database(file)
  db.pragma('foreign_keys = OFF')
  db.exec(
    `CREATE TABLE migrations (name TEXT);
     CREATE TABLE a (id INTEGER PRIMARY KEY);
     CREATE TABLE b (a INTEGER REFERENCES a (id));
     INSERT INTO a VALUES (1);
     INSERT INTO b VALUES (1)`,
  )
  checkSqliteFile(file)
  db.exec('DELETE FROM a')
  db.close()
  expect(() => checkSqliteFile(file)).toThrow(
    `${file} is damaged: 1 rows refer to rows that do not exist`,
  )
})

describe('a copy of all tables', () => {
  function endpoint(
    rows: Row[],
    insert = (added: readonly Row[]): void => void rows.push(...added),
  ) {
    const calls: string[] = []
    const copy: CopyEndpoint = {
      read: () => (rows.length > 0 ? [rows] : []),
      insert: (_table, added) => insert(added),
      clear: () => void rows.splice(0),
      isEmpty: () => rows.length === 0,
      resetSequences: () => undefined,
      commit: () => void calls.push('commit'),
      close: () => undefined,
    }
    return { copy, calls }
  }
  const from = endpoint([
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ]).copy

  it('is committed when the target has the same rows', async () => {
    const { copy, calls } = endpoint([])
    expect(await copyStore({ tables: ['t'], from, to: copy, replace: false })).toEqual([
      { table: 't', rows: 2 },
    ])
    expect(calls).toEqual(['commit'])
  })

  it.each([
    ['lost a row', (rows: readonly Row[]) => rows.slice(1), 1],
    ['changed a row', (rows: readonly Row[]) => rows.map((row) => ({ ...row, text: 'c' })), 2],
  ])('is not committed when the target has %s', async (_name, change, received) => {
    const stored: Row[] = []
    const { copy, calls } = endpoint(stored, (rows) => void stored.push(...change(rows)))
    await expect(copyStore({ tables: ['t'], from, to: copy, replace: false })).rejects.toThrow(
      `the copy of t differs: 2 rows sent, ${received} received; the target was not changed`,
    )
    expect(calls).toEqual([])
  })
})
