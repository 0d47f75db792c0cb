/** Whole ways through the console's views (spec 8.12 to 8.14). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { findViolations } from '../../../testing/axe'
import { test } from '../../../testing/browser-test'
import { consoleCookie } from '../../../testing/console'
import { scrollToStart } from '../../../testing/console-tour'
import { contentWith } from '../../../testing/content-copy'
import {
  eventually,
  opsToken,
  searchSite,
  startTestSite,
  type TestSite,
} from '../../../testing/site'

const content = contentWith({})
let site: TestSite
/** Ten rows, because texts sort 10 before 9. */
const movedPaths = [3, 1, 4, 9, 5, 2, 6, 8, 7, 0].map((number) => `/moved-${number}`)
const articleText = (date: string, body: string): string =>
  `---\ntitle: "One text"\ndescription: "A text to translate"\ndate: ${date}\ncategory: proxies\n---\n\n${body}\n`
function writeArticle(path: string, date: string, body: string): void {
  const file = join(content, 'blog', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, articleText(date, body))
}
test.beforeAll(async () => {
  writeArticle('to-translate/en.md', '2026-11-20', 'Some words.')
  writeArticle('not-imported/en.md', '2026-11-20', 'New words.')
  writeArticle('not-imported/fr.md', '2026-11-01', 'Anciens mots.')
  writeArticle('with-a-mistake/en.md', '2026-11-20', '![A view](not-there.png)')
  const moved = movedPaths.map((path) => `- { from: '${path}', to: '/pricing' }\n`)
  writeFileSync(join(content, 'redirects.yaml'), moved.join(''))
  site = await startTestSite({ OPS_TOKEN: opsToken, RATE_SIGNIN: '0', CONTENT_DIR: content })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

async function open(page: Page, view: string): Promise<void> {
  await page.context().addCookies([await consoleCookie(site.port)])
  await page.goto(`http://localhost:${site.port}/_ops/console/${view}`)
}

test('the overview of a new site says that no events are counted yet', async ({ page }) => {
  await open(page, '')
  await expect(page.getByText('No events are counted yet.')).toBeVisible()
})

test('a translator exports XLIFF, imports it, and the text is live', async ({ page }) => {
  await open(page, 'translations')
  await page.getByLabel('Translation into').selectOption('fr')
  await expect(page).toHaveURL(/\/translations\?locale=fr$/)
  const path = 'content/blog/to-translate/fr.md'
  const row = page.getByRole('row').filter({ hasText: path })
  await row.getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog')
  const untranslated = dialog.locator('section', { hasText: 'body:1' })
  await expect(untranslated.getByRole('term')).toHaveText(['English', 'Translation'])
  await expect(untranslated.getByRole('definition')).toHaveText(['Some words.', 'missing'])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Export' }).click(),
  ])
  await page.keyboard.press('Escape')
  expect(download.suggestedFilename()).toBe('fr.xlf')
  const xliff = readFileSync(await download.path(), 'utf8').replace(
    /<source>([\s\S]*?)<\/source>/g,
    '$&<target>Texte : $1</target>',
  )
  const send = (text: string): Promise<void> =>
    page.getByLabel('XLIFF 2.0 or 2.1 file').setInputFiles({
      name: 'fr.xlf',
      mimeType: 'application/xliff+xml',
      buffer: Buffer.from(text),
    })
  await send(
    xliff
      .replace('<source>Some words.', '<source>Older words.')
      .replace('Texte : One text', 'Texte 7'),
  )
  await expect(
    page.getByText('2 changed texts, 0 without a translation, 2 problems, 1 warning.'),
  ).toBeVisible()
  for (const [name, cells] of [
    [
      'Problems',
      [
        ...[path, 'body:1', 'the source has changed since the export'],
        ...[path, 'body:1', 'has no translation yet'],
      ],
    ],
    ['Warnings', [path, 'front:title', 'number: none in the source, 7 here']],
  ] as const)
    await expect(page.getByRole('table', { name }).getByRole('cell')).toHaveText(cells)
  await send(xliff)
  await expect(page.getByText('3 changed texts, 0 without a translation, 0 problems')).toBeVisible()
  // If the site cannot write the imported files, it answers with an archive of them, which the
  // browser saves.
  const importCall = '**/_ops/api/translations/import'
  const unwritten = { locale: 'fr', files: [], written: [], archive: 'the files' }
  await page.route(importCall, (route) =>
    route.fulfill({ json: { code: 0, msg: 'ok', data: unwritten } }),
  )
  const importButton = page.getByRole('button', { name: 'Import' })
  const [archive] = await Promise.all([page.waitForEvent('download'), importButton.click()])
  expect(archive.suggestedFilename()).toBe('fr.tar')
  expect(readFileSync(await archive.path(), 'utf8')).toBe('the files')
  await page.unroute(importCall)
  await importButton.click()
  await expect(page.getByText('1 file written.')).toBeVisible()
  await eventually(async () => {
    const { body } = await site.get('/fr/blog/to-translate')
    expect(body).toContain('Texte : Some words.')
  })
  await scrollToStart(page)
  expect(await findViolations(page)).toEqual([])

  // The source changes: its text of then is beside the one of now. All by keyboard.
  writeArticle('to-translate/en.md', '2026-11-21', 'More words.')
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('table', { name: 'Glossary' })).toBeVisible()
    await expect(row.getByRole('cell', { name: 'outdated' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  const compare = row.getByRole('button', { name: 'Compare' })
  await compare.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('deletion')).toHaveText(['Some'])
  await expect(dialog.getByRole('insertion')).toHaveText(['More'])
  await expect(dialog.getByText('Texte : Some words.')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('link', { name: 'Export' })).toBeFocused()
  await page.keyboard.press('Tab')
  const unchanged = dialog.getByText('2 texts whose English has not changed')
  await expect(unchanged).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Texte : One text')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(compare).toBeFocused()
})

test('the older English of a translation that was not imported is not known', async ({ page }) => {
  await open(page, 'translations?locale=fr')
  await expect(page.getByLabel('Translation into')).toHaveValue('fr')
  const row = page.getByRole('row').filter({ hasText: 'content/blog/not-imported/fr.md' })
  await row.getByRole('button', { name: 'Compare' }).click()
  const texts = page.getByRole('dialog').locator('section', { hasText: 'Anciens mots.' })
  await expect(texts.getByText('New words.')).toBeVisible()
  await expect(texts.getByText('not known')).toBeVisible()
})

test('an operator finds a missing page and gets a redirect for it', async ({ page }) => {
  await page.goto(`http://localhost:${site.port}/docs/quick-starts`)
  await open(page, 'addresses')
  const row = page.getByRole('row').filter({ hasText: '/docs/quick-starts' })
  await expect(async () => {
    await page.reload()
    await expect(row).toBeVisible({ timeout: 1000 })
  }).toPass()
  await row.getByRole('button', { name: 'Propose' }).click()
  await expect(
    row.getByText("{ from: '/docs/quick-starts', to: '/docs/quick-start' }"),
  ).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await row.getByRole('button', { name: 'Copy' }).click()
  await expect(row.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "- { from: '/docs/quick-starts', to: '/docs/quick-start' }",
  )
  await page.getByLabel('Address', { exact: true }).fill('http://localhost/pricing')
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.getByText('No rule fires: the address is canonical.')).toBeVisible()
  await page.getByLabel('Address', { exact: true }).fill('http://localhost//ES//Pricing.HTML')
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.getByText('repeated slashes')).toBeVisible()
  await expect(page.getByText(/^301 to .*\/es\/pricing$/)).toBeVisible()
  expect(await findViolations(page)).toEqual([])
})

test('a click on a heading sorts the rows, numbers by their value, and a second one turns them', async ({
  page,
}) => {
  await open(page, 'addresses')
  const table = page.getByRole('table', { name: 'Redirects' })
  const lines = movedPaths.map((_, index) => String(index + 1))
  for (const [name, column, order, expected] of [
    ['Line', 1, 'descending', lines.toReversed()],
    ['Line', 1, 'ascending', lines],
    ['From', 2, 'ascending', movedPaths.toSorted()],
    ['From', 2, 'descending', movedPaths.toSorted().toReversed()],
  ] as const) {
    const heading = table.getByRole('columnheader', { name })
    await heading.getByRole('button').click()
    await expect(heading).toHaveAttribute('aria-sort', order)
    await expect(table.locator(`tbody td:nth-child(${column})`)).toHaveText(expected)
  }
})

test('the details of a page list the mistakes in its text', async ({ page }) => {
  await open(page, 'pages?collection=blog&locale=en&search=with-a-mistake')
  await page.getByRole('button', { name: 'blog/with-a-mistake' }).click()
  await expect(
    page.getByRole('dialog').getByText('en.md:8 blog/with-a-mistake/not-there.png is not there'),
  ).toBeVisible()
})

test('an operator purges a page, and the next request is a miss', async ({ page }) => {
  const status = async (): Promise<string> =>
    String((await site.get('/pricing')).headers['cache-status'])
  await eventually(async () => expect(await status()).toMatch(/^site; hit/))
  await open(page, 'system')
  await page.getByLabel('Paths, such as /pricing').fill('/pricing')
  await page.getByRole('button', { name: 'Purge' }).click()
  await expect(page.getByText(/[1-9]\d* (?:entry|entries) of this process dropped\./)).toBeVisible()
  expect(await status()).toMatch(/^site; fwd=miss/)
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') calls += 1
  })
  // Once: while it is disabled, the button keeps the focus and ignores keys.
  const run = page.getByRole('button', { name: /^(?:Run the checks|Checking…)$/ })
  await run.press('Enter')
  await run.press('Enter')
  await expect(page.getByText(/problems? found/)).toBeVisible({ timeout: 60_000 })
  await expect(run).toHaveText('Run the checks')
  await expect(run).toBeFocused()
  expect(calls).toBe(1)
  expect(await findViolations(page)).toEqual([])
})

test('an operator sees what visitors search for, and what in vain', async ({ page }) => {
  await searchSite(site, 'zzyzx', 'en')
  await searchSite(site, '代理', 'zh')
  await open(page, 'search')
  const all = page.getByRole('table', { name: 'Searches', exact: true })
  const misses = page.getByRole('table', { name: 'Searches without a result' })
  await expect(async () => {
    await page.reload()
    await expect(misses.getByRole('cell', { name: 'zzyzx' })).toBeVisible({ timeout: 1000 })
    await expect(all.getByRole('cell', { name: '代理' })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await page.getByLabel('Language').selectOption('zh')
  await expect(all.getByRole('cell', { name: 'zzyzx' })).toHaveCount(0)
  await expect(page).toHaveURL(/locale=zh/)
  await expect(page.getByText('Every search had a result.')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
})
