import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { allLocales } from '../../../shared/i18n/locales'
import { redirectFor } from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import { test } from '../../../testing/browser-test'
import { contentPages, plainPages } from '../../../testing/pages'
import { freePort } from '../../../testing/free-port'
import { childrenOf, isRunning } from '../../../testing/processes'
import { releaseWithTests } from '../../../testing/release-with-tests'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { fetchFrom, hostNames, seedContent, type RequestOptions } from '../../../testing/site'
import { hydrated, watchPage } from '../../../testing/watch-page'

const project = temporaryFolder('project')
let port = 0
let child: ChildProcess
let output = ''

const answers = async (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
const edit = (path: string, from: string | RegExp, to: string): void => {
  const file = join(project, path)
  const before = readFileSync(file, 'utf8')
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  writeFileSync(file, after)
}

// A copy of the project: the test edits its sources.
test.beforeAll(async () => {
  // It compiles the whole project: half a minute, and several on a busy machine.
  test.setTimeout(330_000)
  for (const name of [
    'client',
    'server',
    'shared',
    'bench',
    'scripts',
    'test',
    'testing',
    'locales',
    'content',
    'public',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'webpack.config.ts',
  ])
    cpSync(join(root, name), join(project, name), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  // The starter content is compiled already, by the same compiler.
  mkdirSync(join(project, 'data'))
  seedContent(join(project, 'data'))
  port = await freePort()
  child = spawn(process.execPath, [join(project, 'scripts', 'dev.mjs')], {
    cwd: project,
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  releaseWithTests(child)
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await expect
    .poll(answers, { timeout: 300_000, message: 'the development server is ready' })
    .toBe(true)
})
test.afterAll(async () => {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.kill('SIGTERM')) await ended
  rmSync(project, { recursive: true, force: true })
})

test.describe.configure({ mode: 'serial' })

const everyRoute = [
  ...plainPages,
  ...contentPages.filter(
    (entry, index) => contentPages.findIndex((other) => other.route === entry.route) === index,
  ),
]

test('answers only this machine, under its own names, and no scripts of other sites', async () => {
  const status = (path: string, options: RequestOptions): Promise<number | string> =>
    fetchFrom(port, path, options).then(
      (answer) => answer.status,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    )
  const fromOtherSite = (mode: string): RequestOptions => ({
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode },
  })
  const cases: Array<[string, string, RequestOptions, number | string]> = [
    // A server on all interfaces answers on 127.0.0.2 too.
    ['another interface', '/readyz', { address: '127.0.0.2' }, 'ECONNREFUSED'],
    // A name of an attacker that resolves to 127.0.0.1: DNS rebinding.
    ['a page by another name', '/', { host: 'evil.example' }, 403],
    ['a source by another name', '/assets/main.js', { host: 'localhost.evil.example' }, 403],
    ['a script on a page of another site', '/assets/main.js', fromOtherSite('no-cors'), 403],
    ['events to a page of another site', '/__webpack_hmr', fromOtherSite('cors'), 403],
    ['a link on another site', '/pricing', fromOtherSite('navigate'), 200],
    ['localhost', '/pricing', {}, 200],
    ['a language host', '/pricing', { host: 'zh.localhost' }, 200],
    ['an address', '/readyz', { host: '127.0.0.1' }, 200],
  ]
  const found = await Promise.all(
    cases.map(async ([name, path, options]) => [name, await status(path, options)]),
  )
  expect(found).toEqual(cases.map(([name, , , wanted]) => [name, wanted]))
})

test('React has nothing to warn of at hydration, in any language on any route', async ({
  page,
}) => {
  test.setTimeout(400_000)
  const { problems } = watchPage(page)
  for (const [rank, { code, domain }] of allLocales.entries())
    for (const [index, entry] of everyRoute.entries()) {
      if (redirectFor(entry, code) || ['docs', 'case'].includes(entry.route)) continue
      // English sees every route, the others every twelfth, each a different one: together each
      // route once more.
      if (code !== 'en' && (index + rank) % 12 !== 0) continue
      const path = href(code, entry.route, entry.params)
      await page.goto(`http://${hostNames[domain]}:${port}${path}`, { waitUntil: 'commit' })
      await hydrated(page)
    }
  expect(problems).toEqual([])
})

test('content, texts, styles, client and server are replaced while it runs', async ({ page }) => {
  test.setTimeout(120_000)
  await page.goto(`http://localhost:${port}/docs/faq`)
  await hydrated(page)
  edit('content/docs/faq/en.md', /\n---\n/, '\n---\n\nA sentence that is new.\n')
  await expect(page.getByText('A sentence that is new.')).toBeVisible({ timeout: 15_000 })

  await page.goto(`http://localhost:${port}/faq`)
  await hydrated(page)
  const title = (
    JSON.parse(readFileSync(join(project, 'locales/en/faq.json'), 'utf8')) as {
      seo: { title: string }
    }
  ).seo.title
  edit('locales/en/faq.json', title, 'Another title')
  await expect(page).toHaveTitle('Another title', { timeout: 15_000 })

  edit('client/styles/base.css', /$/, '\nh1 { letter-spacing: 7px; }\n')
  await expect
    .poll(() => page.locator('h1').evaluate((heading) => getComputedStyle(heading).letterSpacing), {
      timeout: 20_000,
    })
    .toBe('7px')

  edit(
    'server/pages/seo/head.ts',
    "meta('color-scheme', 'light dark')",
    "meta('color-scheme', 'light dark'), meta('changed', 'yes')",
  )
  await expect(page.locator('meta[name="changed"]')).toHaveCount(1, { timeout: 30_000 })

  await hydrated(page)
  edit('client/shell/Shell.tsx', '<main', '<main data-edited="yes"')
  await expect(page.locator('main[data-edited="yes"]')).toHaveCount(1, { timeout: 30_000 })
  expect(output).not.toContain('ERROR in')
})

test('ends with all that it has started, also when it answers the signal late', async () => {
  const [script = 0] = childrenOf(child.pid ?? 0)
  const started = [script, ...childrenOf(script)]
  expect([started.length > 1, started.every(isRunning)]).toEqual([true, true])
  process.kill(script, 'SIGSTOP')
  child.kill('SIGTERM')
  // As on a busy machine.
  await new Promise((resolve) => setTimeout(resolve, 200))
  process.kill(script, 'SIGCONT')
  await expect.poll(() => started.filter(isRunning)).toEqual([])
})
