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

/** A table as a CSV file. Without the byte order mark, spreadsheets misread other alphabets. */
export function csvText({
  columns,
  rows,
}: {
  columns: ReadonlyArray<{ name: string }>
  rows: ReadonlyArray<readonly Cell[]>
}): string {
  const lines = [columns.map(({ name }) => name), ...rows]
  return `\uFEFF${lines.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`
}
