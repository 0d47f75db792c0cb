/**
 * `npm run conformance`: checks `docs/conformance.md`, which names for each sentence of
 * `docs/specification.md` the tests that fail when the sentence is false. A sentence is a sentence
 * of a paragraph or list item, or a row of a table. `-- --write` adds and removes rows after the
 * specification was changed, and keeps the tests of the other rows.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import MarkdownIt from 'markdown-it'

type Sentence = { id: string; section: string; text: string }
type Row = { id: string; text: string; tests: readonly string[] }
type Block = { text: string; isRow: boolean; isBeforeList: boolean }

const maxTextLength = 80
const explains = 'explains: '

/** The beginning of a sentence, which is enough to recognize it. */
function beginning(sentence: string): string {
  if (sentence.length <= maxTextLength) return sentence
  return `${sentence.slice(0, sentence.lastIndexOf(' ', maxTextLength))} …`
}

/** The sentences of a paragraph. A full stop inside of code ends none. */
function sentencesOf({ text, isRow, isBeforeList }: Block): string[] {
  if (isRow) return [text]
  const code: string[] = []
  const masked = text.replace(/`[^`]*`/g, (span) => `\u0001${code.push(span) - 1}\u0001`)
  const found = masked
    .split(/(?<=[.!?]\)?)\s+/)
    .map((part) => part.replace(/\u0001(\d+)\u0001/g, (_, index) => code[Number(index)] ?? ''))
  // "The rules do not apply to:" belongs to each item of the list that follows.
  return isBeforeList && found.at(-1)?.endsWith(':') ? found.slice(0, -1) : found
}

/** Paragraphs, list items and table rows by the heading above them. */
function blocksOf(markdown: string): Map<string, Block[]> {
  const tokens = new MarkdownIt().parse(markdown, {})
  const sections = new Map<string, Block[]>()
  let blocks: Block[] = []
  let cells: string[] | null = null
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      blocks = []
      sections.set(tokens[index + 1]?.content ?? '', blocks)
    } else if (token.type === 'tbody_open') cells = []
    else if (token.type === 'tbody_close') cells = null
    else if (token.type === 'tr_close' && cells) {
      const text = cells.filter(Boolean).join(' · ')
      blocks.push({ text, isRow: true, isBeforeList: false })
      cells = []
    } else if (token.type === 'inline' && cells) cells.push(token.content)
    else if (token.type === 'inline' && tokens[index - 1]?.type === 'paragraph_open') {
      const next = tokens[index + 2]?.type ?? ''
      const isBeforeList = /^(?:bullet_list|ordered_list|table)_open$/.test(next)
      const text = token.content.replaceAll('\n', ' ')
      blocks.push({ text, isRow: false, isBeforeList })
    } else if (token.type === 'fence') {
      throw new Error('docs/specification.md: write code blocks as a table or a list')
    }
  })
  return sections
}

export function specificationSentences(markdown: string): Sentence[] {
  return [...blocksOf(markdown)].flatMap(([section, blocks]) => {
    const number = /^\d+(?:\.\d+)?(?= )/.exec(section)?.[0]
    if (!number) return []
    return blocks
      .flatMap(sentencesOf)
      .map((text, index) => ({ id: `${number}-${index + 1}`, section, text: beginning(text) }))
  })
}

const pageHead = `# Conformance

The tests that hold the [specification](specification.md), sentence by sentence. An id is section
and position; the text is the beginning of the sentence. A test is \`file › title\`, with \`…\` for what
a title computes; a \`describe\` title stands for its tests. \`explains\` marks a sentence that no test
can hold, and says why.

\`npm run conformance\` checks this page against the specification and the tests, and \`npm test\` does
so too. After a change of the specification, \`npm run conformance -- --write\` corrects ids and texts;
then fill in the empty cells.
`

const isExplained = ({ tests }: Pick<Row, 'tests'>): boolean =>
  tests[0]?.startsWith(explains) ?? false

const escapePipe = (text: string): string => text.replaceAll('|', '\\|')

/** The page as it is for these sentences, with the tests of earlier rows. */
export function pageFor(sentences: readonly Sentence[], rows: readonly Row[]): string {
  const rest = new Set(rows)
  // The same text, first with the same id; then a text with the same first words, in the same
  // section.
  const take = (matches: (row: Row) => boolean): readonly string[] | undefined => {
    const found = [...rest].find(matches)
    if (found) rest.delete(found)
    return found?.tests
  }
  const sectionOf = (id: string): string => id.split('-')[0] ?? ''
  const firstWords = (text: string): string => text.split(' ').slice(0, 4).join(' ')
  const passes: ReadonlyArray<(sentence: Sentence, row: Row) => boolean> = [
    ({ id, text }, row) => row.id === id && row.text === text,
    ({ id, text }, row) => sectionOf(row.id) === sectionOf(id) && row.text === text,
    ({ text }, row) => row.text === text,
    ({ id, text }, row) =>
      sectionOf(row.id) === sectionOf(id) && firstWords(row.text) === firstWords(text),
  ]
  const tests = new Map<Sentence, readonly string[]>()
  for (const matches of passes) {
    for (const sentence of sentences.filter((one) => !tests.has(one))) {
      const found = take((row) => matches(sentence, row))
      if (found) tests.set(sentence, found)
    }
  }
  // A merge with conflicts leaves two rows of a sentence: it gets the tests of both.
  for (const row of rest) {
    const sentence = sentences.find(
      ({ id, text }) => text === row.text && sectionOf(id) === sectionOf(row.id),
    )
    if (sentence) tests.set(sentence, [...new Set([...(tests.get(sentence) ?? []), ...row.tests])])
  }
  const sections = [...new Set(sentences.map(({ section }) => section))].map((section) => {
    const lines = sentences
      .filter((sentence) => sentence.section === section)
      .map((sentence) => {
        const cell = (tests.get(sentence) ?? []).join('<br>')
        return `| ${sentence.id} | ${escapePipe(sentence.text)} | ${escapePipe(cell)} |\n`
      })
    return `\n## ${section}\n\n| id | sentence | tests |\n| --- | --- | --- |\n${lines.join('')}`
  })
  return pageHead + sections.join('')
}

export function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const [, id = '', text = '', tests = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
    if (!/^\d+(?:\.\d+)?-\d+$/.test(id)) return []
    const [sentence = '', cell = ''] = [text, tests].map((one) => one.replaceAll('\\|', '|'))
    return [{ id, text: sentence, tests: cell.split('<br>').filter(Boolean) }]
  })
}

/** The titles in a test file; null when there is no such file. */
type TitlesOf = (file: string) => ReadonlySet<string> | null

export function problemsOf(
  sentences: readonly Sentence[],
  rows: readonly Row[],
  titlesOf: TitlesOf,
): string[] {
  const testProblem = (test: string): string | null => {
    const [file = '', ...parts] = test.split(' › ')
    const title = parts.join(' › ')
    const titles = titlesOf(file)
    if (!titles) return `test file ${file} does not exist`
    return titles.has(title) ? null : `${file} has no test "${title}"`
  }
  const texts = new Map(sentences.map(({ id, text }) => [id, text]))
  const written = new Set(rows.map(({ id }) => id))
  return [
    ...sentences
      .filter(({ id }) => !written.has(id))
      .map(({ id, text }) => `${id} is missing: "${text}"`),
    ...rows.flatMap(({ id, text, tests }) => {
      if (texts.get(id) !== text) return [`${id} is not in the specification: "${text}"`]
      if (tests.length === 0) return [`${id} has no test: "${text}"`]
      if (isExplained({ tests })) return []
      return tests.map(testProblem).flatMap((problem) => (problem ? [`${id}: ${problem}`] : []))
    }),
  ]
}

async function main(): Promise<void> {
  // Loaded here, because TypeScript is large and the rest needs no compiler.
  const { testTitlesIn } = await import('./test-titles')
  const root = resolve(__dirname, '..')
  const pagePath = join(root, 'docs', 'conformance.md')
  const sentences = specificationSentences(
    readFileSync(join(root, 'docs', 'specification.md'), 'utf8'),
  )
  if (process.argv.includes('--write')) {
    const rows = existsSync(pagePath) ? rowsOf(readFileSync(pagePath, 'utf8')) : []
    writeFileSync(pagePath, pageFor(sentences, rows))
  }
  const rows = rowsOf(readFileSync(pagePath, 'utf8'))
  const problems = problemsOf(sentences, rows, testTitlesIn(root))
  for (const problem of problems) console.error(`docs/conformance.md: ${problem}`)
  const explained = rows.filter(isExplained).length
  const tests = new Set(rows.filter((row) => !isExplained(row)).flatMap((row) => row.tests))
  console.log(
    `${sentences.length} sentences, ${tests.size} tests, ${explained} explained, ${problems.length} open`,
  )
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (require.main === module) void main()
