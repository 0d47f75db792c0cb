/**
 * A language that is added to an existing installation: its data folder has content that was
 * compiled for the other languages. Both sets of languages run from the sources: the project
 * itself, and a copy of it with one more record and one more folder.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'

const folder = temporaryFolder('new-language')
const copy = join(folder, 'project')
const content = join(folder, 'content')
const data = join(folder, 'data')

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const writeArticle = (locale: string, title: string, text: string): void =>
  write(
    join(content, 'blog', 'window-sync', `${locale}.md`),
    `---\ntitle: ${title}\ndescription: ${title}\ndate: 2026-11-20\ncategory: guides\n---\n\n${text}\n`,
  )
function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

const run = (script: string, args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'node_modules/tsx/dist/cli.mjs'), script, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  })

/** Runs the content process of a project once. The id of a compiler changes with its languages. */
function compile(project: string): { status: number | null; stderr: string; messages: string[] } {
  const options = {
    content,
    locales: join(project, 'locales'),
    public: join(root, 'public'),
    data,
    compiler: project,
    routes: project,
  }
  const { status, stdout, stderr } = run(join(project, 'server/content/compile/process.ts'), [
    '--once',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ])
  const lines = stdout.split('\n').filter(Boolean)
  return {
    status,
    stderr,
    messages: lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
  }
}

/** URLs that the search of a project finds in the data folder. */
function search(project: string, locale: string, query: string): unknown {
  const script = join(folder, `search-in-${project === copy ? 'copy' : 'project'}.ts`)
  const source = (path: string): string => JSON.stringify(join(project, 'server', path))
  writeFileSync(
    script,
    `import { contentFile } from ${source('content/data-files')}
import { openForReading } from ${source('content/database')}
import { createSearcher } from ${source('search/searcher')}
const [data = '', locale = 'en', query = ''] = process.argv.slice(2)
const db = openForReading(contentFile(data))
const request = { query, locale, collection: null, limit: 5, disabledRoutes: [] }
console.log(JSON.stringify(db && createSearcher(db)(request).hits.map(({ url }) => url)))\n`,
  )
  const { stdout, stderr } = run(script, [data, locale, query])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

beforeAll(() => {
  for (const name of ['server', 'shared', 'locales'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(root, name), join(copy, name))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  cpSync(join(root, 'content/site.yaml'), join(content, 'site.yaml'))
  writeArticle('en', 'Window mirroring', 'Repeats clicks in every window.')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const success = { status: 0, stderr: '', messages: ['content compiled', 'compile done'] }

describe('a language that is added to an existing installation', () => {
  it('is compiled into its own file and found by the search', () => {
    expect(compile(root)).toEqual(success)
    expect(search(root, 'en', 'mirroring')).toEqual(['/blog/window-sync'])
    const before = readdirSync(data)

    edit(
      join(copy, 'shared/i18n/locales.ts'),
      '\n  es: {',
      "\n  it: { language: 'it-IT', name: 'Italiano' },\n  es: {",
    )
    cpSync(join(copy, 'locales/en'), join(copy, 'locales/it'), { recursive: true })
    writeArticle('it', 'Sincronizzatore', 'Ripete i clic in ogni finestra aperta.')
    expect(compile(copy)).toEqual(success)
    expect(search(copy, 'it', 'finestra')).toEqual(['/it/blog/window-sync'])
    expect(search(copy, 'en', 'mirroring')).toEqual(['/blog/window-sync'])

    // A server without the language still reads its file during a reload.
    expect(readdirSync(data)).toEqual(expect.arrayContaining(before))
    expect(search(root, 'en', 'mirroring')).toEqual(['/blog/window-sync'])
  })
})
