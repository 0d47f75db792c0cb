import { createHash } from 'node:crypto'
import { OperatorError } from '../../errors'
import type { CopyEndpoint, Row } from './copy-endpoint'

export type CopiedTable = { table: string; rows: number }
type Copy = { tables: readonly string[]; from: CopyEndpoint; to: CopyEndpoint; replace: boolean }

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Brings a value into the form that both databases can store: PostgreSQL writes UUIDs in lower case
 * and cannot store NUL characters.
 */
function normalizeValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return value
  return uuid.test(value) ? value.toLowerCase() : value.replaceAll('\0', '')
}
const normalizeRow = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, normalizeValue(value)]))

/** Counts rows and sums their hashes, so that two sets of rows can be compared in any order. */
function createDigest() {
  let rows = 0
  let sum = 0n
  return {
    add: (row: Row): void => {
      const fields = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
      const hash = createHash('sha256').update(JSON.stringify(fields)).digest().readBigUInt64BE()
      sum = BigInt.asUintN(64, sum + hash)
      rows += 1
    },
    rows: () => rows,
    text: () => `${rows} ${sum.toString()}`,
  }
}

/** Empties the target. Throws an OperatorError if it holds rows that must not be replaced. */
async function prepareTarget({ tables, to, replace }: Copy): Promise<void> {
  // In reverse, because a row cannot be deleted while another row references it.
  for (const table of tables.toReversed()) {
    if (replace) await to.clear(table)
    else if (!(await to.isEmpty(table)))
      throw new OperatorError(
        `the target already holds rows (${table}); --replace deletes what it holds`,
      )
  }
}

/** Copies a table, then reads it back from the target and compares. Returns the number of rows. */
async function copyTable(table: string, { from, to }: Copy): Promise<number> {
  const [sent, received] = [createDigest(), createDigest()]
  for await (const rows of from.read(table)) {
    const normalized = rows.map(normalizeRow)
    normalized.forEach(sent.add)
    await to.insert(table, normalized)
  }
  for await (const rows of to.read(table)) rows.map(normalizeRow).forEach(received.add)
  if (sent.text() !== received.text())
    throw new Error(
      `the copy of ${table} differs: ${sent.rows()} rows sent, ${received.rows()} received; the target was not changed`,
    )
  await to.resetSequences(table)
  return sent.rows()
}

/**
 * Copies all rows of the tables and commits only if every table is equal afterwards. Throws an
 * OperatorError if the target holds rows and `replace` is false.
 */
export async function copyStore(copy: Copy): Promise<CopiedTable[]> {
  await prepareTarget(copy)
  const copied: CopiedTable[] = []
  for (const table of copy.tables) copied.push({ table, rows: await copyTable(table, copy) })
  await copy.to.commit()
  return copied
}
