import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { test } from '../../../testing/browser-test'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { startTestSite, type TestSite } from '../../../testing/site'
import { hydrated } from '../../../testing/watch-page'

const content = temporaryFolder('docs')
let site: TestSite
test.beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  for (const [index, id] of ['tabs-one', 'tabs-two'].entries()) {
    mkdirSync(join(content, 'docs', id), { recursive: true })
    writeFileSync(
      join(content, 'docs', id, 'en.md'),
      `---\ntitle: "Tabs ${id}"\ndescription: "A page with tabs for ${id}"\ndate: 2026-11-01\nsection: help\norder: ${900 + index}\nsince: 1.2.0\n---\n\n![Wide](wide.png)\n\n:::tabs\n== Windows\nWindows text\n== macOS\nMac text\n:::\n\nBetween.\n\n:::tabs\n== Windows\nWindows again\n== macOS\nMac again\n:::\n`,
    )
  }
  const wide = { width: 1600, height: 400, channels: 3 as const, background: '#2450e6' }
  await sharp({ create: wide })
    .png()
    .toFile(join(content, 'docs', 'tabs-one', 'wide.png'))
  cpSync(
    join(content, 'docs', 'tabs-one', 'wide.png'),
    join(content, 'docs', 'tabs-two', 'wide.png'),
  )
  site = await startTestSite({ CONTENT_DIR: content })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`http://localhost:${site.port}${path}`)
  await hydrated(page)
}

test('a selected tab is selected in every group and on the next page', async ({ page }) => {
  await open(page, '/docs/tabs-one')
  await page.waitForSelector('.prose-frame, .tabs')
  await expect(async () => {
    await page.getByText('Windows', { exact: true }).first().click()
    await page.getByText('macOS', { exact: true }).first().click()
    await expect(page.getByText('Mac again')).toBeVisible({ timeout: 1000 })
  }).toPass()
  await open(page, '/docs/tabs-two')
  await expect(page.getByText('Mac text')).toBeVisible()
  await expect(page.getByText('Windows text')).toBeHidden()
})

test('a page is copied as Markdown, and names the version since which it holds', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, '/docs/tabs-one')
  await expect(page.getByText('Since version 1.2.0')).toBeVisible()
  await page.locator('[data-track="article-markdown"]').click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('# Tabs tabs-one')
})

test('a picture that is shown smaller than it is can be enlarged', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, '/docs/tabs-one')
  const small = await page.locator('.prose picture img').evaluate((image) => image.clientWidth)
  await page.locator('[data-track="article-picture"]').click()
  const large = page.getByRole('dialog', { name: 'Wide' }).locator('img')
  await expect.poll(() => large.evaluate((image) => image.clientWidth)).toBeGreaterThan(small)
})

test('N and P open the next and previous page, but not while the visitor types', async ({
  page,
}) => {
  await open(page, '/docs/tabs-one')
  await page.keyboard.press('n')
  await page.waitForURL('**/docs/tabs-two')
  await hydrated(page)
  // Clicks are counted: the address alone would not show a way to another page and back.
  await page.evaluate(() => {
    const counted = Object.assign(window, { clicks: 0 })
    document.addEventListener('click', () => (counted.clicks += 1), { capture: true })
  })
  await page.keyboard.press('Control+k')
  await page.locator('[data-shell="search"] [role="combobox"]').fill('')
  await page.keyboard.type('pnp')
  expect(await page.evaluate(() => 'clicks' in window && window.clicks)).toBe(0)
  await page.keyboard.press('Escape')
  expect(new URL(page.url()).pathname).toBe('/docs/tabs-two')
  await page.keyboard.press('p')
  await page.waitForURL('**/docs/tabs-one')
})

test('feedback is sent and acknowledged; a failure is reported', async ({ page }) => {
  await open(page, '/docs/profiles')
  let sent: unknown
  await page.route('**/api/site/helpful', (route) => {
    sent = route.request().postDataJSON()
    return route.fulfill({
      status: 200,
      contentType: 'application/json',
      body: '{"code":0,"msg":"ok","data":null}',
    })
  })
  await page.locator('[data-action="helpful-yes"]').click()
  await expect(page.locator('[data-shell="helpful"] [role="status"]')).toHaveText(
    'Thanks for your feedback.',
  )
  await expect(page.locator('[data-action="helpful-yes"]')).toHaveCount(0)
  await expect(page.locator('[data-shell="helpful"] [role="status"]')).toBeFocused()
  expect(sent).toEqual({ page: '/docs/profiles', locale: 'en', helpful: true })
  await page.unroute('**/api/site/helpful')
  await open(page, '/docs/proxies')
  const [no, status] = [
    page.locator('[data-action="helpful-no"]'),
    page.locator('[data-shell="helpful"] [role="status"]'),
  ]
  for (const answer of [
    null,
    { status: 500, json: { code: 0, msg: 'ok', data: null } },
    { status: 200, json: { code: 42901, msg: 'too many', data: null } },
  ]) {
    await page.route('**/api/site/helpful', (route) =>
      answer ? route.fulfill(answer) : route.abort(),
    )
    await no.click()
    await expect(status).toHaveText('Your feedback could not be saved.')
    await expect(no).toBeEnabled()
    await expect(status).toBeFocused()
    await page.unroute('**/api/site/helpful')
  }
})

test('print shows every tab under its label, without elements for the screen', async ({ page }) => {
  await open(page, '/docs/tabs-one')
  await page.emulateMedia({ media: 'print' })
  for (const text of ['Windows text', 'Mac text']) await expect(page.getByText(text)).toBeVisible()
  await expect(page.locator('.tabs-label').nth(1)).toBeVisible()
  for (const selector of ['[data-shell="helpful"]', 'header', 'footer', 'aside, nav'])
    for (const element of await page.locator(selector).all()) await expect(element).toBeHidden()
})
