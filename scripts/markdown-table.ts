/** A table whose columns are aligned as Prettier aligns them. The first row is the head. */
export function markdownTable([head = [], ...body]: ReadonlyArray<readonly string[]>): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...body].map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n')
}
