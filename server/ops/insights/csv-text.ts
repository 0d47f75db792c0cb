import type { Cell, InsightTable } from './insight-table'

/**
 * A cell of a CSV file (RFC 4180). What visitors have sent (addresses, campaigns, messages) ends in a spreadsheet, which would run a text that
 * begins like a formula: such a text gets an apostrophe in front (OWASP, CSV injection). Numbers stay numbers.
 */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = /^[\s\0]*[=+\-@|%＝＋－＠]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",;\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as a CSV file, with a byte order mark: without it spreadsheets read other alphabets wrongly. */
export function csvText({ columns, rows }: InsightTable): string {
  return `\uFEFF${[columns.map(({ name }) => name), ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`
}
