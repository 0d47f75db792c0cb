/**
 * How many places a change needs (docs/architecture.md). A copy of the project gets one of each
 * change, and nothing else; its types must be correct, its build must succeed, and the running site
 * must show every change.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { buildFolder, root } from '../../../testing/root'
import { copyProject, type ProjectCopy } from '../../../testing/project-copy'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { searchSite, startTestSite, type TestSite } from '../../../testing/site'

// The build and the type check take a minute of processor time. On a busy machine that is minutes.
jest.setTimeout(600_000)

/**
 * A change, and the places that it needs: a row is an edit of an existing file, the rest is new.
 */
type Change = {
  /** As in docs/architecture.md. */
  name: string
  rows: ReadonlyArray<{ path: string; before: string; text: string }>
  files: Readonly<Record<string, string>>
}

const page = (title: string): string =>
  `{"seo": {"title": "${title}", "description": "${title}", "keywords": ""}, "title": "${title}"}\n`

const changes: readonly Change[] = [
  {
    name: 'a page',
    rows: [
      {
        path: 'shared/routes/table.ts',
        before: "  'use-cases': {\n",
        text: "  press: { pattern: '/press', texts: ['press'], meta: { nav: { label: 'ABOUT', company: 9, links: 99 } } },\n",
      },
    ],
    files: {
      'client/pages/Press.tsx':
        "import { PageHeader } from '../components/PageHeader'\nimport { useTexts } from '../use-texts'\n\nexport function Page() {\n  const t = useTexts('press')\n  return <PageHeader title={t('title')} />\n}\n",
      'locales/en/press.json': page('Press room'),
    },
  },
  {
    name: 'a language',
    rows: [
      {
        path: 'shared/i18n/locales.ts',
        before: '  tc: {\n',
        text: "  nl: { language: 'nl-NL', name: 'Nederlands' },\n",
      },
    ],
    files: { 'locales/nl/errors.json': readFileSync(join(root, 'locales/en/errors.json'), 'utf8') },
  },
  {
    name: 'a redirect',
    rows: [
      {
        path: 'content/redirects.yaml',
        before: '[]',
        text: '- { from: /old-press, to: /press }\n# ',
      },
    ],
    files: {},
  },
  {
    name: 'a middleware',
    rows: [
      {
        path: 'server/pipeline.ts',
        before: "import { assets } from './middleware/assets'\n",
        text: "import { teapot } from './middleware/teapot'\n",
      },
      {
        path: 'server/pipeline.ts',
        before: "  {\n    name: 'health',\n",
        text: "  { name: 'teapot', why: 'after the limits', make: teapot },\n",
      },
    ],
    files: {
      'server/middleware/teapot.ts':
        "import type { RequestHandler } from 'express'\n\nexport function teapot(): RequestHandler {\n  return function teapotRow(_request, response, next) {\n    response.setHeader('X-Teapot', 'short')\n    next()\n  }\n}\n",
    },
  },
  {
    name: 'an API call',
    rows: [
      {
        path: 'server/api/calls.ts',
        before: "import { visitorIp } from './calls/visitor-ip'\n",
        text: "import { siteTime } from './calls/site-time'\n",
      },
      {
        path: 'server/api/calls.ts',
        before: '  siteOffer,\n  siteRedirect,\n',
        text: '  siteTime,\n',
      },
    ],
    files: {
      'server/api/calls/site-time.ts':
        "import { z } from 'zod'\nimport { defineCall } from '../define-call'\n\nexport const siteTime = defineCall({\n  method: 'GET',\n  path: '/site/time',\n  rateLimit: 'other',\n  inputFrom: 'query',\n  input: z.object({ zone: z.string().default('UTC') }),\n  createHandler: () => ({ zone }) => ({ zone }),\n})\n",
    },
  },
  {
    name: 'a setting',
    rows: [
      {
        path: 'server/env.ts',
        before: '    TRUST_PROXY: wholeNumber(',
        text: "    BACKLOG: wholeNumber(1, 9, 'a number from 1 to 9').prefault('5').describe('Waiting connections.'),\n",
      },
    ],
    files: {},
  },
  {
    name: 'a collection',
    rows: [
      {
        path: 'shared/front-matter.ts',
        before: '  pages: z.strictObject(common),\n',
        text: '  stories: z.strictObject(common),\n',
      },
      {
        path: 'shared/routes/table.ts',
        before: "  'use-cases': {\n",
        text: "  story: { pattern: '/stories/{id}', load: { kind: 'article', collection: 'stories' }, texts: ['article'] },\n",
      },
    ],
    files: {
      'client/pages/Story.tsx':
        "export { ArticlePage as Page } from '../components/article/ArticlePage'\n",
    },
  },
]

/** The table "Places to touch": the places of a change, with commas between them. */
const documentedPlaces = new Map(
  readFileSync(join(root, 'docs', 'architecture.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, change = '', places = '']) => [change, places]),
)

let project: ProjectCopy
let site: TestSite | undefined

const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(project.folder, script), ...args], {
    cwd: project.folder,
    encoding: 'utf8',
  })
/** Returns what the script printed. */
function runScript(script: string): string {
  const { status, stdout, stderr } = run('node_modules/tsx/dist/cli.mjs', script)
  if (status !== 0 || stderr) throw new Error(`${script}: ${status}\n${stderr}${stdout}`)
  return stdout
}

beforeAll(async () => {
  project = copyProject(temporaryFolder('places'))
  // The other articles would be compiled too, and nothing here shows one.
  const content = join(project.folder, 'content')
  for (const { name } of readdirSync(content, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'pages',
  ))
    rmSync(join(content, name), { recursive: true })
  for (const { rows, files } of changes) {
    for (const { path, before, text } of rows) project.edit(path, before, text + before)
    for (const [path, text] of Object.entries(files)) project.write(path, text)
  }
  project.write(
    'content/stories/first/en.md',
    '---\ntitle: The first story\ndescription: About a first day.\n---\n\nOnce.\n',
  )
  // Pictures of an older build with the same sources are not encoded again.
  cpSync(join(buildFolder(), 'images'), join(project.folder, 'dist', 'older', 'images'), {
    recursive: true,
  })
  runScript('scripts/settings.ts')
  const folder = /built ([0-9a-f]+)/.exec(runScript('scripts/build.ts'))?.[1] ?? ''
  site = await startTestSite(
    { CONTENT_DIR: join(project.folder, 'content') },
    join(project.folder, 'dist', folder),
  )
})
afterAll(() => site?.stop())

function running(): TestSite {
  if (!site) throw new Error('the site did not start')
  return site
}
const get = (path: string) => running().get(path)

describe('a change touches few places', () => {
  it.each(changes)('$name: those that docs/architecture.md names', ({ name, rows, files }) => {
    const touched = new Set([...rows.map(({ path }) => path), ...Object.keys(files)])
    const documented = documentedPlaces.get(name) ?? ''
    expect(documented).not.toBe('')
    expect([...touched]).toHaveLength(documented.split(', ').length)
    for (const [, path] of documented.matchAll(/`(.+?)`/g))
      expect([...touched]).toContainEqual(expect.stringContaining(String(path)))
  })

  it('and the types of the whole project stay correct', () => {
    const types = run('scripts/check-types.mjs')
    expect([types.status, types.stdout, types.stderr]).toEqual([0, '', ''])
  })

  it('a page is served, in the footer, on the links page and in the sitemap', async () => {
    const { status, body } = await get('/press')
    expect([status, body.includes('>Press room</h1>')]).toEqual([200, true])
    expect((await get('/')).body).toContain('href="/press"')
    expect((await get('/links')).body).toContain('href="/press"')
    expect((await get('/en-US-sitemap.xml')).body).toContain('/press</loc>')
  })

  it('a language has its pages, its hreflang and its place in the language menu', async () => {
    const { status, body } = await get('/nl/pricing')
    expect([status, body.includes('<html lang="nl-NL"')]).toEqual([200, true])
    expect((await get('/pricing')).body).toContain('hreflang="nl-NL"')
    expect((await get('/pricing')).body).toContain('Nederlands')
  })

  it('a redirect is followed', async () => {
    const { status, headers } = await get('/old-press')
    expect([status, headers.location]).toEqual([301, expect.stringMatching(/\/press$/)])
  })

  it('a middleware runs', async () => {
    expect((await get('/robots.txt')).headers['x-teapot']).toBe('short')
  })

  it('an API call answers', async () => {
    expect(JSON.parse((await get('/api/site/time')).body)).toEqual({
      code: 0,
      msg: 'ok',
      data: { zone: 'UTC' },
    })
  })

  it('a setting is in the example file and in the documentation', () => {
    const example = readFileSync(join(project.folder, '.env.example'), 'utf8')
    expect(example).toContain('BACKLOG=5')
    expect(readFileSync(join(project.folder, 'docs', 'operations.md'), 'utf8')).toContain(
      '`BACKLOG`',
    )
  })

  it('an entry of a collection is served, searched and in the sitemap', async () => {
    const { status, body } = await get('/stories/first')
    expect([status, body.includes('The first story')]).toEqual([200, true])
    expect((await get('/en-US-sitemap.xml')).body).toContain('/stories/first</loc>')
    const { hits } = await searchSite(running(), 'first story', 'en')
    expect(hits.map(({ url }) => url)).toContain('/stories/first')
  })
})
