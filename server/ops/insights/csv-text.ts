import type { Cell } from './insight-table'

/**
 * A cell of a CSV file (RFC 4180). Texts that visitors sent (URLs, campaigns, messages) end up in a
 * spreadsheet, which would run a text that begins like a formula: such a text is prefixed with an
 * apostrophe (OWASP: CSV injection). Numbers are written as they are.
 */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[\s\0]*[=+\-@|%＝＋－＠]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",;\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const linesOf = (rows: ReadonlyArray<readonly Cell[]>): string =>
  rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')
/** Without the byte order mark, spreadsheets misread other alphabets. */
const headOf = (names: readonly string[]): string => `\uFEFF${linesOf([names])}`

/** A table as a CSV file. */
export const csvText = ({
  columns,
  rows,
}: {
  columns: readonly string[]
  rows: ReadonlyArray<readonly Cell[]>
}): string => headOf(columns) + linesOf(rows)

/** A CSV file in parts, for tables that are read batch by batch. */
export async function* csvParts(
  names: readonly string[],
  batches: AsyncIterable<ReadonlyArray<readonly Cell[]>>,
): AsyncGenerator<string> {
  yield headOf(names)
  for await (const rows of batches) yield linesOf(rows)
}
