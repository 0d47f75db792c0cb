import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** The text of a title, with `…` for what it computes. */
function titleOf(node: ts.Expression | undefined): string | null {
  if (!node) return null
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
}

/** The table of `it.each(table)(title, …)`, when it is written in place. */
function caseNames(table: ts.Expression | undefined): string[] {
  const rows = table && ts.isArrayLiteralExpression(table) ? [...table.elements] : []
  return rows
    .map((row) => titleOf(ts.isArrayLiteralExpression(row) ? row.elements[0] : row))
    .filter((name) => name !== null)
}

/**
 * The titles of tests and of their groups in a file. In a table of tests, the title with the
 * first cell of a row in place of `%s` is a title too. A file of cases has the titles of its rows.
 */
function testTitles(path: string): Set<string> {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  const titles = new Set<string>()
  const isCaseFile = path.includes('/cases/')
  const visit = (node: ts.Node): void => {
    if (isCaseFile && ts.isPropertyAssignment(node)) {
      const title = titleOf(node.initializer)
      if (title !== null && /^(?:title|name)$/.test(node.name.getText(source))) titles.add(title)
    } else if (ts.isCallExpression(node)) {
      const isTable = ts.isCallExpression(node.expression)
      const name = (ts.isCallExpression(node.expression) ? node.expression : node).expression
      const title = titleOf(node.arguments[0])
      if (
        title !== null &&
        /^(?:it|test|(?:test\.)?describe)(?:\.each)?$/.test(name.getText(source))
      ) {
        titles.add(title.replace(/\s+/g, ' '))
        if (isTable && title.includes('%s') && ts.isCallExpression(node.expression)) {
          for (const one of caseNames(node.expression.arguments[0]))
            titles.add(title.replace('%s', one))
        }
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

/** `unit/money`, `cases/api-calls`: names of files in the page, and their paths. */
function testFiles(root: string): Map<string, string> {
  const names = ['unit', 'integration', 'browser', 'cases'].flatMap((folder) =>
    readdirSync(join(root, 'test', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => folder === 'cases' || /\.(?:test|spec)\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  return new Map(
    names.map((name) => [
      name.replace(/(?:\.(?:test|spec))?\.tsx?$/, ''),
      join(root, 'test', name),
    ]),
  )
}

/**
 * Returns a function that reads the titles in a test file, each file once; null for a file that
 * does not exist.
 */
export function testTitlesIn(root: string): (file: string) => ReadonlySet<string> | null {
  const files = testFiles(root)
  const known = new Map<string, ReadonlySet<string>>()
  return function titlesOf(file) {
    const path = files.get(file)
    if (path === undefined) return null
    const titles = known.get(file) ?? testTitles(path)
    known.set(file, titles)
    return titles
  }
}
