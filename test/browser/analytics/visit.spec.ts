import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test, withPrefetch } from '../../../testing/browser-test'
import { startIdentityProvider, type IdentityProvider } from '../../../testing/identity-provider'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'
import { hydrated } from '../../../testing/watch-page'

let identity: IdentityProvider
let site: TestSite
test.beforeAll(async () => {
  identity = await startIdentityProvider()
  site = await startTestSite({ ...identity.settings, TRUST_PROXY: '1' })
})
test.afterAll(async () => {
  await site.stop()
  await identity.stop()
})
// From Germany, where the starter content asks for consent, with a system that has a client.
test.use({
  ...withPrefetch,
  viewport: { width: 1280, height: 800 },
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  extraHTTPHeaders: { 'X-Forwarded-For': '5.9.0.1' },
})

function rows<Row>(query: string): Row[] {
  const database = new Sqlite(join(site.dataDir, 'site.db'), { readonly: true })
  try {
    return database.prepare(query).all() as Row[]
  } finally {
    database.close()
  }
}
type Stored = {
  kind: string
  page: string
  key: string
  trigger: string
  referrer: string
  duration: number
  userId: string
}
/** Path of an address of the site; another one as it is. */
const pathOf = (url: string): string =>
  url.startsWith(`http://localhost:${site.port}/`) ? new URL(url).pathname : url
/** All stored events in the order in which the browser made them. */
const storedEvents = (): Stored[] =>
  rows<{ kind: string; url: string; data: string; context: string }>(
    `SELECT kind, url, events.data, event_contexts.data AS context FROM events
     JOIN event_contexts ON event_contexts.id = context_id ORDER BY ts, events.rowid`,
  ).map(({ kind, url, data, context }) => {
    const event = JSON.parse(data) as {
      key?: string
      trigger: string
      referrer: string
      duration: number
      addition: { key?: string }
    }
    return {
      kind,
      page: pathOf(url),
      key: event.key ?? event.addition.key ?? '',
      trigger: event.trigger,
      referrer: pathOf(event.referrer),
      duration: event.duration,
      userId: (JSON.parse(context) as { user_id: string }).user_id,
    }
  })

const click = (page: Page, key: string): Promise<void> =>
  page.locator(`[data-track="${key}"]:visible`).first().click()
const shown = (page: Page, route: string): Promise<void> =>
  expect(page.locator('html')).toHaveAttribute('data-page', route)
/** Scrolls through the page as a reader does. */
async function read(page: Page): Promise<void> {
  const height = await page.evaluate(() => document.body.scrollHeight)
  for (let y = 0; y < height; y += 600)
    await page.evaluate(async (top) => {
      window.scrollTo({ top, behavior: 'instant' })
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    }, y)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
}

test('a whole visit is stored in order, with keys, pages and referrers', async ({
  page,
  context,
}) => {
  // Client hints would tell the system of this machine.
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgentData', { value: undefined }),
  )
  // A backend may name the visitor in its answer; the embedded one does not.
  await context.route('**/authorized-login', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object }
    await route.fulfill({
      response,
      json: { ...answer, data: { ...answer.data, user_id: 'u-42' } },
    })
  })
  const address = `http://localhost:${site.port}/?ref=friend-9&utm_source=spring`
  await page.goto(address, { referer: 'https://www.search.test/' })
  await hydrated(page)
  await page.locator('[data-shell="consent"]').waitFor({ timeout: 20_000 })
  expect(storedEvents()).toEqual([])
  await click(page, 'consent-accept')
  await read(page)

  await click(page, 'header-menu-resources')
  await click(page, 'header-blog')
  await shown(page, 'blog')
  await click(page, 'cards-articles')
  await shown(page, 'blog-article')
  const article = new URL(page.url()).pathname
  await read(page)

  await click(page, 'header-search')
  await page.locator('[data-shell="search"] [role="combobox"]').fill('import profiles')
  await click(page, 'search-result')
  await page.waitForURL((url) => url.pathname !== article)
  const found = new URL(page.url()).pathname

  await click(page, 'header-pricing')
  await shown(page, 'pricing')
  await read(page)
  await click(page, 'plan-period')
  await click(page, 'faq-question')
  await click(page, 'header-download')
  await shown(page, 'download')
  await Promise.all([page.waitForEvent('download'), click(page, 'download-detected')])

  await page.locator('#identity-prompt button').click({ timeout: 20_000 })
  await page.waitForURL(/\/app\?cpl=/)
  await page.close()

  const stored = await eventually(() => {
    const events = storedEvents()
    expect(events.some(({ key }) => key === 'one-tap-sign-in')).toBe(true)
    return events
  })
  console.table(stored)
  const acts = stored.filter(({ kind }) => kind !== 'expose')
  expect(acts.map(({ kind, key, page: path }) => `${kind} ${key} ${path}`)).toEqual([
    // Measuring starts with consent: the page on the screen, and the click that allowed it.
    'view  /',
    'click consent-accept /',
    'click header-menu-resources /',
    'click header-blog /',
    'view  /blog',
    'click cards-articles /blog',
    `view  ${article}`,
    `click header-search ${article}`,
    `click search-result ${article}`,
    `view  ${found}`,
    `click header-pricing ${found}`,
    'view  /pricing',
    'click plan-period /pricing',
    'click faq-question /pricing',
    'click header-download /pricing',
    'view  /download',
    'click download-detected /download',
    // The button of the stand-in for the identity provider's prompt.
    'click  /download',
    'click one-tap-sign-in /download',
  ])
  expect(acts.filter(({ kind }) => kind === 'view').map(({ referrer }) => referrer)).toEqual([
    'https://www.search.test/',
    '/',
    '/blog',
    article,
    found,
    '/pricing',
  ])
  for (const { duration } of acts) expect(duration).toBeGreaterThan(0)
  const seen = stored.filter(({ kind }) => kind === 'expose')
  const seenOn = (path: string): string[] =>
    seen.filter((event) => event.page === path).map(({ key }) => key)
  expect(seenOn('/')).toEqual(
    expect.arrayContaining(['hero-register', 'cards-features', 'faq-list', 'call-download']),
  )
  expect(
    seenOn('/pricing')
      .filter((key) => key.startsWith('plan-'))
      .sort(),
  ).toEqual(['plan-business', 'plan-free', 'plan-solo', 'plan-table', 'plan-team'])
  // The sign-in and what was sent with it have the id; earlier batches have none.
  expect([acts[0]?.userId, acts.at(-1)?.userId]).toEqual(['', 'u-42'])
  // They are sent when the page is closed, on their own.
  await eventually(() => expect(rows('SELECT route FROM vitals')).toEqual([{ route: 'home' }]))
  expect(rows('SELECT log_type FROM fingerprints')).toEqual([{ log_type: 'fingerprint' }])
  expect(rows('SELECT code FROM referrals')).toEqual([{ code: 'friend-9' }])
  expect(rows('SELECT utm_source FROM sources')).toEqual([{ utm_source: 'spring' }])
  // The prompt came on another page than the one that the campaign led to.
  expect(rows('SELECT source, invite_code FROM accounts')).toEqual([
    { source: 'spring', invite_code: 'friend-9' },
  ])
})
