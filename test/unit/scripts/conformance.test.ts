import { describe, expect, it } from '@jest/globals'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageFor, problemsOf, rowsOf, specificationSentences } from '../../../scripts/conformance'
import { testTitlesIn } from '../../../scripts/test-titles'
import { temporaryFolder } from '../../../testing/release-with-tests'

const specification = `# Specification

Not numbered.

## 1 Numbers

A cut \`1. 2\` ends nothing. The last one (of two). Both of these:

- one; a part
- two

### 1.1 Table

| name | value |
| ---- | ----- |
| \`a\`  | 1     |
| b    |       |
`
const test = 'unit/money › refuses what is not finite'
const titlesOf = (file: string): Set<string> | null =>
  file === 'unit/money' ? new Set(['refuses what is not finite']) : null
const sentences = specificationSentences(specification)
const rows = sentences.map(({ id, text }) => ({ id, text, tests: [test] }))
const problemsAfter = (before: string, after: string): string[] =>
  problemsOf(specificationSentences(specification.replace(before, after)), rows, titlesOf)

describe('the conformance page', () => {
  it('has a row for each sentence, list item and table row of a numbered section', () => {
    expect(sentences.map(({ id, text }) => [id, text])).toEqual([
      ['1-1', 'A cut `1. 2` ends nothing.'],
      ['1-2', 'The last one (of two).'],
      ['1-3', 'one; a part'],
      ['1-4', 'two'],
      ['1.1-1', '`a` · 1'],
      ['1.1-2', 'b'],
    ])
    expect(problemsOf(sentences, rows, titlesOf)).toEqual([])
  })

  it.each([
    ['an added sentence', '- two', '- one and a half\n- two', ['1-4', '1-5']],
    ['a removed sentence', '- two', '', ['1-4']],
    ['a changed sentence', 'The last one', 'The latter one', ['1-2']],
    ['a changed row of a table', '| 1 ', '| 2 ', ['1.1-1']],
  ])('reports %s', (_name, before, after, ids) => {
    const problems = problemsAfter(before, after)
    expect([...new Set(problems.map((problem) => problem.split(' ')[0]))].sort()).toEqual(ids)
  })

  it.each([
    ['no test', [], 'has no test'],
    ['a test that does not exist', ['unit/money › counts sheep'], 'unit/money has no test'],
    ['a file that does not exist', ['unit/sheep › counts'], 'test file unit/sheep does not exist'],
    ['nothing to hold, and says why', ['explains: a heading'], null],
  ])('a sentence with %s', (_name, tests, expected) => {
    const changed = rows.map((row) => (row.id === '1-4' ? { ...row, tests } : row))
    expect(problemsOf(sentences, changed, titlesOf)).toEqual(
      expected === null ? [] : [expect.stringContaining(expected)],
    )
  })

  it('has the tests of both sides after a merge with conflicts', () => {
    const [first, second] = [['unit/a › one'], ['unit/a › one', 'unit/a › two']].map((tests) =>
      pageFor(
        sentences,
        rows.map((row) => ({ ...row, tests })),
      ),
    )
    const merged = `<<<<<<< ours\n${first}=======\n${second}>>>>>>> theirs\n`
    const written = pageFor(sentences, rowsOf(merged))
    expect(rowsOf(written).map(({ tests }) => tests)).toEqual(
      rows.map(() => ['unit/a › one', 'unit/a › two']),
    )
    expect(written).not.toContain('<<<')
  })

  it('keeps the tests of a sentence that moves to another section or goes on differently', () => {
    const long = `A rule with ${'many '.repeat(20)}words.`
    const before = specificationSentences(`## 1 One\n\n${long} Moves away.\n\n## 2 Two\n\nStays.`)
    const own = before.map(({ id, text }) => ({ id, text, tests: [`unit/a › ${id}`] }))
    const after = `## 1 One\n\nA rule with many exceptions.\n\n## 2 Two\n\nStays. Moves away.`
    expect(rowsOf(pageFor(specificationSentences(after), own))).toEqual([
      { id: '1-1', text: 'A rule with many exceptions.', tests: ['unit/a › 1-1'] },
      { id: '2-1', text: 'Stays.', tests: ['unit/a › 2-1'] },
      { id: '2-2', text: 'Moves away.', tests: ['unit/a › 1-2'] },
    ])
  })

  it('has the beginning of a long sentence, up to a word that fits', () => {
    const [sentence] = specificationSentences(`## 1 One\n\nA rule with ${'many '.repeat(20)}words.`)
    expect(sentence?.text).toBe(`A rule with ${'many '.repeat(13)}…`)
  })

  it('refuses a block of code, whose sentences it could not number', () => {
    expect(() => specificationSentences('## 1 One\n\n```\ncode\n```\n')).toThrow(
      'write code blocks as a table or a list',
    )
  })

  it('keeps the tests of rows when it is written again', () => {
    const own = rows.map((row, index) => ({ ...row, tests: [`unit/a › test ${index} | x`] }))
    expect(rowsOf(pageFor(sentences, own))).toEqual(own)
    const moved = specificationSentences(specification.replace('- one', '- new\n- one'))
    expect(rowsOf(pageFor(moved, own)).map(({ id, tests }) => [id, tests[0]])).toEqual([
      ['1-1', 'unit/a › test 0 | x'],
      ['1-2', 'unit/a › test 1 | x'],
      ['1-3', undefined],
      ['1-4', 'unit/a › test 2 | x'],
      ['1-5', 'unit/a › test 3 | x'],
      ['1.1-1', 'unit/a › test 4 | x'],
      ['1.1-2', 'unit/a › test 5 | x'],
    ])
  })
})

it('a skipped test has no title that the page could name', () => {
  const folder = temporaryFolder('titles')
  for (const part of ['unit', 'integration', 'browser', 'cases'])
    mkdirSync(join(folder, 'test', part), { recursive: true })
  const tests = `it('a'); it.each([['b']])('is %s'); test.describe('c')
it.skip('d'); it.todo('e'); describe.skip('f'); it.only('g'); it(\`h \${1 + 1} i\`)`
  writeFileSync(join(folder, 'test', 'unit', 'money.test.ts'), tests)
  writeFileSync(join(folder, 'test', 'cases', 'rows.ts'), "const rows = [{ name: 'j', path: 'k' }]")
  expect([...(testTitlesIn(folder)('unit/money') ?? [])]).toEqual([
    ...['a', 'is %s', 'is b', 'c', 'h … i'],
  ])
  expect([...(testTitlesIn(folder)('cases/rows') ?? [])]).toEqual(['j'])
})
