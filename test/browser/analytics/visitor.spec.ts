import Sqlite from 'better-sqlite3'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { join } from 'node:path'
import { test } from '../../../testing/browser-test'
import { startIdentityProvider, type IdentityProvider } from '../../../testing/identity-provider'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'
import { hydrated } from '../../../testing/watch-page'

let identity: IdentityProvider
let site: TestSite
test.beforeAll(async () => {
  identity = await startIdentityProvider()
  site = await startTestSite({
    ...identity.settings,
    TRUST_PROXY: '1',
    RATE_EVENTS: '1000000',
    RATE_OTHER: '1000000',
  })
})
test.afterAll(async () => {
  await site.stop()
  await identity.stop()
})

type Row = Record<string, unknown>
/** Rows of the site's database, read over a second connection. */
function rows(query: string): Row[] {
  const database = new Sqlite(join(site.dataDir, 'site.db'), { readonly: true })
  try {
    return database.prepare(query).all() as Row[]
  } finally {
    database.close()
  }
}
const address = (path: string): string => `http://localhost:${site.port}${path}`
const germany = '5.9.0.1'
const america = '8.8.8.8'

/** Opens a page from an IP address: the site trusts one proxy, so the header sets it. */
async function visit(context: BrowserContext, path: string, from = america): Promise<Page> {
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': from })
  const page = await context.newPage()
  await page.goto(address(path))
  await hydrated(page)
  return page
}
/** Makes the page look hidden, which sends the pending events. */
const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('views, clicks, exposures and errors are stored once each', async ({ context }) => {
  const page = await visit(context, '/pricing?ref=friend-1&utm_source=spring&cpl=secret#plans')
  await page.waitForFunction(() => document.cookie.includes('device_id='), undefined, {
    timeout: 20_000,
  })
  await page.evaluate(() => void Promise.reject(new Error('unhandled rejection of the test')))
  await page
    .locator('main a[href]')
    .first()
    .evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()))
  await page.locator('main a[href]').first().click()
  await hide(page)
  const stored = await eventually(() => {
    const found = rows("select id, kind, url, data from events where url like '%ref=friend-1%'")
    expect(new Set(found.map(({ kind }) => kind))).toEqual(
      new Set(['view', 'click', 'expose', 'error']),
    )
    return found
  })
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length)
  expect(JSON.stringify(stored)).not.toMatch(/secret|#plans/)
  expect(
    stored.filter(({ kind, data }) => kind === 'view' && String(data).includes('"trigger":"load"')),
  ).toHaveLength(1)
  // The tracking layer knows what the server knows of the address.
  const [contextRow] = rows("select data from event_contexts where data like '%Mountain View%'")
  expect(JSON.parse(String(contextRow?.['data']))).toMatchObject({
    user_info: {
      country: 'US',
      region: 'California',
      city: 'Mountain View',
      timezone: 'America/Los_Angeles',
    },
  })
  // The referral code and the traffic source are stored too.
  await eventually(() => {
    expect(rows("select code from referrals where code = 'friend-1'")).toHaveLength(1)
    expect(rows("select utm_source from sources where utm_source = 'spring'")).toHaveLength(1)
  })
})

test('where consent is needed nothing is sent or stored before it; a refusal is kept', async ({
  context,
}) => {
  const page = await visit(context, '/faq', germany)
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  const banner = page.locator('[data-shell="consent"]')
  await banner.waitFor({ timeout: 20_000 })
  const [refuse, accept] = await Promise.all(
    ['refuse', 'accept'].map((action) => banner.locator(`[data-action="${action}"]`).boundingBox()),
  )
  expect([accept?.width, accept?.height].map((size) => Math.round(size ?? 0))).toEqual(
    [refuse?.width, refuse?.height].map((size) => Math.round(size ?? 0)),
  )
  await hide(page)
  await page.waitForTimeout(300)
  expect(posts).toEqual([])
  expect(
    await page.evaluate(() => [
      document.cookie,
      Object.keys(localStorage).filter((key) => key.startsWith('event:')).length,
    ]),
  ).toEqual(['', 0])
  await banner.locator('[data-action="refuse"]').click()
  await expect(page.getByRole('main')).toBeFocused()
  await expect(banner).toHaveCount(0)
  const again = await visit(context, '/faq', germany)
  await again.waitForTimeout(1500)
  await expect(again.locator('[data-shell="consent"]')).toHaveCount(0)
  // The footer has a button to change the choice.
  await again.locator('footer [data-action="consent"]').click()
  await again.locator('[data-shell="consent"] [data-action="accept"]').click()
  await again.waitForFunction(() => document.cookie.includes('consent=accepted'))
})

for (const [who, from] of [
  ['a visitor from a country that needs consent, over IPv6,', '2a01:4f8:c17::1'],
  ['a visitor from an unknown country', '192.0.2.7'],
] as const)
  test(`${who} is asked before anything is sent or stored`, async ({ context }) => {
    const posts: string[] = []
    context.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    const page = await visit(context, '/faq', from)
    await page.locator('[data-shell="consent"]').waitFor({ timeout: 20_000 })
    await hide(page)
    expect(posts).toEqual([])
    expect(await page.evaluate(() => document.cookie)).toBe('')
  })

test('one-tap sign-in opens the application, and its token is valid once', async ({ context }) => {
  const page = await visit(context, '/download')
  await page.locator('#identity-prompt button').click({ timeout: 20_000 })
  await page.waitForURL(/\/app\?cpl=/, { timeout: 20_000 })
  await expect(page.locator('body')).toContainText('Ada Example')
  await page.reload()
  await expect(page.locator('body')).not.toContainText('Ada Example')
})

test('a toast is shown when the identity script does not load', async ({ context }) => {
  await context.route(`${identity.origin}/**`, (route) => route.abort())
  const page = await visit(context, '/faq')
  await expect(page.locator('[data-shell="toast"]')).toContainText('Registration failed!', {
    timeout: 20_000,
  })
  const chinese = await context.newPage()
  await chinese.goto(`http://zh.localhost:${site.port}/faq`)
  await expect(chinese.locator('[data-shell="toast"]')).toContainText('注册失败！', {
    timeout: 20_000,
  })
})

test('the message panel shows validation errors, then stores a message', async ({ context }) => {
  const page = await visit(context, '/pricing')
  await page.locator('[data-shell="chat-buttons"] button').click()
  const panel = page.locator('[data-shell="message-panel"]')
  await panel.locator('button[type="submit"]').click()
  await expect(panel.locator('[role="alert"]')).toHaveCount(3)
  await panel.locator('[name="name"]').fill('Ada')
  await panel.locator('[name="email"]').fill('ada@example.com')
  await panel.locator('[name="message"]').fill('Does it run on Linux?')
  await panel.locator('button[type="submit"]').click()
  await expect(panel.locator('[role="status"]')).toBeVisible()
  expect(rows('select name, email, message, locale, page from messages')).toEqual([
    {
      name: 'Ada',
      email: 'ada@example.com',
      message: 'Does it run on Linux?',
      locale: 'en',
      page: '/pricing',
    },
  ])
})

for (const { status, text } of [
  { status: 429, text: 'Too many messages in a short time.' },
  { status: 500, text: 'Your message could not be sent.' },
]) {
  test(`the message panel keeps the message and explains the answer ${status}`, async ({
    context,
  }) => {
    const page = await visit(context, '/faq')
    await page.route('**/api/site/message', (route) =>
      route.fulfill({ status, json: { code: status * 100, msg: 'no', data: null } }),
    )
    await page.locator('[data-shell="chat-buttons"] button').click()
    const panel = page.locator('[data-shell="message-panel"]')
    await panel.locator('[name="name"]').fill('Ada')
    await panel.locator('[name="email"]').fill('ada@example.com')
    await panel.locator('[name="message"]').fill(`After ${status}`)
    await panel.locator('button[type="submit"]').click()
    await expect(panel.getByRole('alert')).toContainText(text)
    await expect(panel.locator('button[type="submit"]')).toBeFocused()
    await expect(panel.locator('[name="message"]')).toHaveValue(`After ${status}`)
    await page.unroute('**/api/site/message')
    await panel.locator('button[type="submit"]').click()
    await expect(panel.locator('[role="status"]')).toBeVisible()
    expect(rows(`select name from messages where message = 'After ${status}'`)).toHaveLength(1)
  })
}

for (const { name, userAgent, systems } of [
  {
    name: 'Windows',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
    systems: ['com_win64'],
  },
  {
    name: 'a Mac',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    systems: ['com_arm64', 'com_mac'],
  },
]) {
  test(`the download page offers the files for ${name} first`, async ({ browser }) => {
    const context = await browser.newContext({ userAgent })
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'userAgentData', { value: undefined }),
    )
    const page = await visit(context, '/download')
    await expect(page.locator('[data-detected]')).toHaveCount(systems.length)
    expect(
      await page
        .locator('[data-detected]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('data-system'))),
    ).toEqual(systems)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[data-detected]').first().click(),
    ])
    expect(download.url()).toContain('/downloads/')
    await context.close()
  })
}

test('the download page handles a missing client for Linux and a failed download', async ({
  browser,
}) => {
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  })
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgentData', { value: undefined }),
  )
  const page = await visit(context, '/download')
  await expect(page.locator('section[aria-labelledby="for-this-computer"]')).toContainText(
    'no client for Linux',
  )
  await context.close()

  const other = await browser.newContext({
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  })
  await other.route('**/get-latest-version**', (route) =>
    route.fulfill({
      status: 404,
      contentType: 'application/json',
      body: '{"code":404,"msg":"none","data":null}',
    }),
  )
  const failing = await visit(other, '/download')
  await failing.locator('[data-detected]').first().click()
  await expect(failing.locator('[data-action="retry"]')).toBeVisible()
  await other.unroute('**/get-latest-version**')
  const [download] = await Promise.all([
    failing.waitForEvent('download'),
    failing.locator('[data-action="retry"]').click(),
  ])
  expect(download.url()).toContain('/downloads/')
  await expect(failing.locator('#for-this-computer')).toBeFocused()
  await other.close()
})

test('account links get the page and the referral code', async ({ context }) => {
  const page = await visit(context, '/pricing?ref=friend-2')
  await page.waitForFunction(() => document.cookie.includes('invite_code='), undefined, {
    timeout: 20_000,
  })
  const link = page.locator('[data-action="register"]:visible').first()
  await link.hover()
  await link.dispatchEvent('pointerdown')
  const url = new URL((await link.getAttribute('href')) ?? '', address('/'))
  expect([
    url.searchParams.get('ref'),
    url.searchParams.get('from'),
    url.searchParams.get('rel'),
    url.searchParams.get('lang'),
  ]).toEqual(['friend-2', address('/pricing?ref=friend-2'), 'official_website', 'en-US'])
  // Another host cannot read the cookie.
  const chinese = page.locator('a[href^="http://zh.localhost"]').first()
  await chinese.dispatchEvent('pointerdown')
  expect(new URL((await chinese.getAttribute('href')) ?? '').searchParams.get('ref')).toBe(
    'friend-2',
  )
})
