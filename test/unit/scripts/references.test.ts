import { describe, expect, it } from '@jest/globals'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { retention } from '../../../server/db/prune'
import { findUnresolvedReferences, unresolvedReferences } from '../../../scripts/references'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('references', () => {
  const unresolved = findUnresolvedReferences(root)
  it.each([
    ['to the specification name a section of docs/specification.md', unresolved.specification],
    ['inside the specification name a section of it', unresolved.insideSpecification],
    ['to a decision name a record', unresolved.decisions],
    ['are written as "spec 4.3" and "decision 12"', unresolved.oldForms],
    ['to files name a file that exists', unresolved.files],
    ['of Markdown links name an existing file and heading', unresolved.links],
  ])('%s', (_, broken) => {
    expect(broken).toEqual([])
  })
})

it('references that lead nowhere are listed with their file and line', () => {
  const folder = temporaryFolder('references')
  for (const name of ['docs/decisions', 'server'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'docs', 'specification.md'), '## 1 Pages\n\nSee section 7.\n')
  // In parts, because this file is searched too.
  const comments = [
    'spec' + ' 1',
    'spec' + ' 2',
    'decision' + ' 3',
    'decisions' + ' 3',
    'server/' + 'b.ts',
  ]
  writeFileSync(join(folder, 'server', 'a.ts'), comments.map((text) => `// ${text}\n`).join(''))
  expect(unresolvedReferences(folder)).toEqual([
    expect.stringMatching(/^server\/a\.ts:2\b/),
    expect.stringMatching(/^docs\/specification\.md:3\b/),
    expect.stringMatching(/^server\/a\.ts:3\b/),
    expect.stringMatching(/^server\/a\.ts:4\b/),
    expect.stringMatching(/^server\/a\.ts:5\b/),
  ])
})

describe('docs/specification.md', () => {
  it('has the sections that comments refer to', () => {
    const sections = [...textOf('docs/specification.md').matchAll(/^#{2,3} (\d+(?:\.\d+)?) /gm)]
    expect(sections.map(([, number]) => number).filter((number) => !number?.includes('.'))).toEqual(
      Array.from({ length: 12 }, (_, index) => String(index + 1)),
    )
    expect(sections.length).toBeGreaterThan(80)
  })
})

describe('docs/architecture.md', () => {
  it('has the specified order of the middleware beside that of the pipeline', () => {
    const section =
      textOf('docs/architecture.md').split('## Order of the middleware\n')[1]?.split('\n## ')[0] ??
      ''
    const rows = [
      ...section.matchAll(/^\| (\d) +\| ([^|]+?) +\| (\d) +\| `([^`]+)` +\| (.+) \|$/gm),
    ]
    const specified = rows
      .toSorted(([, first], [, second]) => Number(first) - Number(second))
      .map(([, , step]) => step)
    expect(specified).toEqual([
      'host routing',
      'legacy redirects',
      'normalization',
      'sitemaps',
      'image proxy',
      'API proxy',
    ])
    expect(rows.filter(([, , , , , reason = '']) => reason.trim().length < 30)).toEqual([])
    const pipelineRows = [...textOf('server/pipeline.ts').matchAll(/name: '([^']+)'/g)]
    const places = rows.map(([, , , , name]) =>
      pipelineRows.findIndex(([, rowName]) => rowName === name),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const ours = [...new Set(places)]
    expect(rows.map(([, , , place]) => Number(place))).toEqual(
      places.map((place) => ours.indexOf(place) + 1),
    )
  })
})

describe('docs/security.md', () => {
  it('names tests that exist', () => {
    // `test/…`: "title", "title": each title, or a part of it, is in that file.
    const text = textOf('docs/security.md').replace(/\s+/g, ' ')
    const named = [...text.matchAll(/`(test\/[^`]+)`:((?:,? "[^"]+")+)/g)].flatMap(
      ([, file = '', titles = '']) =>
        [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
    )
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter(({ file, title }) => !textOf(file).includes(title))).toEqual([])
    const files = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file)
    expect(files.filter((file) => !named.some((one) => one.file === file))).toEqual([])
  })
})

describe.each([
  ['README.md', '\\| '],
  ['docs/commands.md', '- '],
])('%s', (file, mark) => {
  it('has every npm script', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(textOf('package.json')))
    const text = textOf(file)
    const isListed = (name: string): boolean =>
      new RegExp(`^${mark}\`npm (?:run )?${name}(?:\`| )`, 'm').test(text)
    expect(Object.keys(scripts).filter((name) => !isListed(name))).toEqual([])
  })
})

describe('docs/operations.md', () => {
  it('says how long the rows of each table are kept', () => {
    const section = textOf('docs/operations.md').split('## Retention')[1]?.split('\n## ')[0] ?? ''
    const rows = [...section.matchAll(/^\| `(\w+)` +\| (\d*) /gm)]
    expect(rows.map(([, table, days]) => [table, days === '' ? 'always' : Number(days)])).toEqual(
      Object.entries(retention).map(([table, rule]) => [
        table,
        rule === 'always' ? rule : rule.days,
      ]),
    )
  })
})

describe('decision records', () => {
  const form =
    /^# (\d+) .+\n\nDate: \d{4}-\d\d-\d\d\n\nStatus: (?:accepted|superseded by decision \d+)\b.*\n\n## Context\n[\s\S]+\n## Decision\n[\s\S]+\n## Consequences\n/
  const index = textOf('docs/decisions/README.md')
  const records = readdirSync(join(root, 'docs', 'decisions')).filter((name) =>
    /^\d{4}-/.test(name),
  )

  it.each(records)(
    '%s has number, date, status, context, decision and consequences, and is in the index',
    (name) => {
      const text = textOf(`docs/decisions/${name}`)
      expect(text).toMatch(form)
      expect(Number(form.exec(text)?.[1])).toBe(Number(name.slice(0, 4)))
      expect(index).toContain(`(${name})`)
    },
  )
})
