import { createHash } from 'node:crypto'
import { OperatorError } from '../../errors'
import type { Row, StoreSide } from './store-side'

export type CopiedTable = { table: string; rows: number }

/** PostgreSQL writes UUIDs in small letters and keeps no NUL: compared and copied in the form that both can hold. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
function common(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') return value
  return uuid.test(value) ? value.toLowerCase() : value.replaceAll('\0', '')
}
const inCommonForm = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, common(value)]))

/** Number and digest of rows in any order: the sum of their hashes. */
function createDigest() {
  let rows = 0
  let sum = 0n
  return {
    add(row: Row): void {
      const fields = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))
      sum = BigInt.asUintN(
        64,
        sum + createHash('sha256').update(JSON.stringify(fields)).digest().readBigUInt64BE(),
      )
      rows += 1
    },
    rows: () => rows,
    text: () => `${rows} ${sum}`,
  }
}

/**
 * Copies all rows of some tables, then reads them back and compares. The target is changed only when everything is equal. Throws a Complaint when it
 * holds rows already and `replace` does not allow to delete them.
 */
export async function copyStore({
  tables,
  from,
  to,
  replace,
}: {
  tables: readonly string[]
  from: StoreSide
  to: StoreSide
  replace: boolean
}): Promise<CopiedTable[]> {
  for (const table of tables.toReversed()) {
    if (replace) await to.clear(table)
    else if (!(await to.isEmpty(table)))
      throw new OperatorError(
        `the target holds rows already (${table}); --replace deletes what it holds`,
      )
  }
  const copied: CopiedTable[] = []
  for (const table of tables) {
    const [sent, arrived] = [createDigest(), createDigest()]
    for await (const rows of from.read(table)) {
      const ready = rows.map(inCommonForm)
      ready.forEach(sent.add)
      await to.insert(table, ready)
    }
    for await (const rows of to.read(table)) rows.map(inCommonForm).forEach(arrived.add)
    if (sent.text() !== arrived.text())
      throw new Error(
        `${table} did not arrive as it was sent: ${sent.rows()} rows sent, ${arrived.rows()} arrived; nothing was changed`,
      )
    await to.continueCounting(table)
    copied.push({ table, rows: sent.rows() })
  }
  await to.commit()
  return copied
}
