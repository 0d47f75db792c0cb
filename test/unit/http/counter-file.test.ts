import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import Database from 'better-sqlite3'
import { counterTable, openCounterFile } from '../../../server/http/counter-file'
import { temporaryFolder } from '../../../testing/release-with-tests'

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder('counter-file')
  file = join(folder, 'limits.db')
})
afterEach(() => {
  jest.useRealTimers()
})

const countRows = `SELECT count(*) AS rows FROM ${counterTable}`

it('a damaged file is replaced by an empty one', () => {
  writeFileSync(file, 'This is text and no database. '.repeat(100))
  const { client, close } = openCounterFile(folder)
  expect(client.prepare(countRows).get()).toEqual({ rows: 0 })
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  close()
})

it('a file that cannot be opened is reported', () =>
  expect(() => openCounterFile(join(folder, 'none'))).toThrow(/directory does not exist/))

it('expired counters are deleted by the next sweep after another process has locked the file', () => {
  jest.useFakeTimers()
  const { client, close } = openCounterFile(folder)
  const insert = client.prepare(`INSERT INTO ${counterTable} VALUES (?, 1, ?)`)
  insert.run('expired', Date.now() - 1)
  insert.run('current', Date.now() + 60_000)
  const other = new Database(file)
  other.exec('BEGIN IMMEDIATE')
  jest.advanceTimersByTime(1000)
  other.exec('ROLLBACK')
  other.close()
  expect(client.prepare(countRows).get()).toEqual({ rows: 2 })
  jest.advanceTimersByTime(1000)
  expect(client.prepare(`SELECT key FROM ${counterTable}`).all()).toEqual([{ key: 'current' }])
  close()
})
