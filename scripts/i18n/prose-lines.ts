import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isScalar, LineCounter, parseDocument, visit, type Pair } from 'yaml'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { Article } from './read-article'

/** A text and its place. Code, addresses, tags and emphasis are taken out of it. */
export type ProseLine = { file: string; line: number; key: string; text: string }

/** Stands for code or an address, so that the words around it stay apart. */
const codeMark = '⌁'

const proseOf = (text: string): string =>
  text
    .replace(/`[^`]*`/g, codeMark)
    .replace(/\]\([^()]*\)/g, ']')
    .replace(/<\/?[a-z0-9][^<>]*>/gi, '')
    .replace(/https?:\/\/[^\s)"]+|[\w.+-]+@[\w.-]+/g, codeMark)
    .replace(/\{#[^{}]*\}/g, '')
    .replace(/^\s*(?:> ?|[-*] |\d+\. )+(?:\[[ x]\] )?/, '')
    .replace(/\*\*?|\\(?=[*_|])/g, '')

/**
 * Fields that hold ids, dates, addresses and words for search engines. Messages of a drawn chat are
 * spoken language.
 */
const factFields: ReadonlySet<string> = new Set(
  'icon kind section order date updated tags related documents url checked cover website category system systems tone since series part author sha256 seo_keywords keywords value method path command output messages'.split(
    ' ',
  ),
)

const jsonText = /^\s*(?:"((?:[^"\\]|\\.)*)": )?("(?:[^"\\]|\\.)*"),?$/

/** The texts of a file with interface texts, one per line. */
function readJsonLines(root: string, file: string): ProseLine[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((content, index): ProseLine[] => {
      const [, key = '', value] = jsonText.exec(content) ?? []
      if (value === undefined || factFields.has(key)) return []
      // The cast: the expression matches JSON strings only.
      return [{ file, line: index + 1, key, text: proseOf(JSON.parse(value) as string) }]
    })
}

/** The sentences of front matter, with their lines. */
function readFrontMatter(file: string, source: string): ProseLine[] {
  const lines: ProseLine[] = []
  const counter = new LineCounter()
  visit(parseDocument(source, { lineCounter: counter }), {
    Scalar(position, node, path) {
      if (position === 'key' || typeof node.value !== 'string' || !node.range) return
      const parents = path.filter((parent): parent is Pair => 'key' in parent)
      const keys = parents.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
      if (keys.some((key) => factFields.has(key))) return
      const { line } = counter.linePos(node.range[0])
      // The front matter begins in the second line of the file.
      lines.push({ file, line: line + 1, key: keys.at(-1) ?? '', text: proseOf(node.value) })
    },
  })
  return lines
}

/** The texts of an article: front matter, then the body without blocks of code. */
export function articleLines(file: string, { yaml, body }: Article): ProseLine[] {
  // The body begins after the front matter and the lines of `---` around it.
  const offset = yaml.split('\n').length + 1
  let fence: string | null = null
  const bodyLines = body.split('\n').flatMap((content, index): ProseLine[] => {
    const mark = /^\s*(```+|~~~+)/.exec(content)?.[1]
    if (mark && (fence === null || mark.startsWith(fence))) {
      fence = fence === null ? mark : null
      return []
    }
    if (fence !== null) return []
    return [{ file, line: offset + index + 1, key: '', text: proseOf(content) }]
  })
  return [...readFrontMatter(file, yaml), ...bodyLines]
}

/** All texts of the interface in a language. */
export function interfaceLines(root: string, locale: LocaleCode): ProseLine[] {
  const folder = join('locales', locale)
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .flatMap((name) => readJsonLines(root, join(folder, name)))
}
