/** The owner's console (spec 8.10) as an operator uses it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { findViolations } from '../../../testing/axe'
import { test } from '../../../testing/browser-test'
import { signInToConsole } from '../../../testing/console'
import { openTestDatabase, storeTestMonth } from '../../../testing/console-data'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { eventually, opsToken, startTestSite, type TestSite } from '../../../testing/site'

let site: TestSite
const folder = temporaryFolder('console')
test.beforeAll(async () => {
  const url = `file:${join(folder, 'site.db')}`
  const database = openTestDatabase(url)
  await storeTestMonth(database)
  await database.run(async (db) => {
    const common = { at: Date.now(), locale: 'en', page: '/pricing' }
    // 50 are shown at first.
    const older = Array.from({ length: 50 }, (_, index) => `Older question ${index}`)
    const texts = [...older, 'Cheap watches', 'Please call me', 'Is there a trial?']
    const messages = texts.map((message, index) => ({
      ...common,
      name: `Visitor ${index}`,
      email: message === 'Please call me' ? 'caller@example.org' : `visitor${index}@example.org`,
      message,
    }))
    await db.insertInto('messages').values(messages).execute()
  })
  site = await startTestSite({ DATABASE_URL: url, OPS_TOKEN: opsToken, RATE_SIGNIN: '0' })
  // All events are from before today, so the first turns count them all.
  await eventually(async () => {
    const last = await database.run((db) =>
      db
        .selectFrom('events')
        .select(({ fn }) => fn.max('received_at').as('at'))
        .executeTakeFirstOrThrow(),
    )
    const cursor = await database.run((db) =>
      db.selectFrom('count_cursors').select('at').where('name', '=', 'events').executeTakeFirst(),
    )
    expect(cursor?.at).toBe(last.at)
  }, 60_000)
  await database.close()
})
test.afterAll(async () => {
  await site.stop()
  rmSync(folder, { recursive: true, force: true })
})

const phone = { width: 360, height: 740 }
const at = (path: string): string => `http://localhost:${site.port}/_ops/console${path}`

/** Messages of the browser about refused resources and failed scripts. */
function watchFailures(page: Page): string[] {
  const failures: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') failures.push(message.text())
  })
  page.on('pageerror', (error) => failures.push(error.message))
  return failures
}

async function signIn(page: Page, path = ''): Promise<void> {
  await page.goto(at(path))
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Token').fill(opsToken)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible()
}

async function expectNoViolations(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Themes differ in colors only.
    expect(await findViolations(page, colorScheme === 'light' ? 'all' : 'colors')).toEqual([])
  }
}

test('an operator signs in by keyboard, opens a view, signs out and is refused', async ({
  page,
}) => {
  const failures = watchFailures(page)
  await page.goto(at('/sessions'))
  await expectNoViolations(page)
  await page.getByLabel('Your name').focus()
  await page.keyboard.type('Ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type(opsToken)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  await expect(page.getByRole('cell', { name: 'This session' })).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(page.locator('#view')).toBeFocused()
  await page.goBack()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Token')).toBeVisible()
  expect(failures).toEqual([])
  const { status } = await page.request
    .get(`http://localhost:${site.port}/_ops/api/sessions`)
    .then((answer) => ({ status: answer.status() }))
  expect(status).toBe(401)
})

test('an operator ends sessions by keyboard, and the focus stays in the list', async ({ page }) => {
  await signInToConsole(site.port, 'Grace')
  await signInToConsole(site.port, 'Hedy')
  await signIn(page, '/sessions')
  const buttons = page.getByRole('button', { name: 'End session' })
  // Other tests have sessions too.
  await expect.poll(() => buttons.count()).toBeGreaterThan(1)
  await buttons.first().focus()
  for (let left = (await buttons.count()) - 1; left > 0; left -= 1) {
    await page.keyboard.press('Enter')
    await expect(buttons).toHaveCount(left)
    await expect(buttons.first()).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(buttons).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Signed-in operators' })).toBeFocused()
})

test('a wrong token shows the form again, on a phone', async ({ page }) => {
  await page.setViewportSize(phone)
  await page.goto(at(''))
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('Token').fill('not-the-token-of-the-operators')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('This token is not valid.')
  await expectNoViolations(page)
  await signIn(page)
})

test('the overview shows a month and narrows it, with the filter in the address', async ({
  page,
}) => {
  const failures = watchFailures(page)
  await signIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  const views = page.locator('dl div', { hasText: 'Page views' }).locator('dd').first()
  const all = Number((await views.innerText()).replaceAll(',', ''))
  expect(all).toBeGreaterThan(1000)
  await expect(
    page.getByRole('img', { name: /^Views and visitors/ }).locator('canvas'),
  ).toBeVisible()
  await expectNoViolations(page)
  await page.getByLabel('Language', { exact: true }).selectOption('zh')
  await expect(page).toHaveURL(/[?&]locale=zh/)
  await expect
    .poll(async () => Number((await views.innerText()).replaceAll(',', '')))
    .toBeLessThan(all / 2)
  await page.reload()
  await expect(page.getByLabel('Language', { exact: true })).toHaveValue('zh')
  await page.getByLabel('Language', { exact: true }).selectOption({ label: 'All' })
  await expect(page).toHaveURL(at('/overview'))
  await expect.poll(async () => Number((await views.innerText()).replaceAll(',', ''))).toBe(all)
  await page.setViewportSize(phone)
  await expectNoViolations(page)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
  expect(failures).toEqual([])
})

test('an operator switches the theme, which draws each chart again, and the site keeps it', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signIn(page)
  const canvas = page.getByRole('img', { name: /^Views and visitors/ }).locator('canvas')
  const drawn = await canvas.elementHandle()
  await page.getByLabel('Language', { exact: true }).selectOption('zh')
  // Other data is another chart.
  await expect.poll(() => drawn?.evaluate(({ isConnected }) => isConnected)).toBe(false)
  const root = page.locator('html')
  const button = page.getByRole('button', { name: 'Switch between light and dark' })
  for (const [colorScheme, theme] of [
    ['light', 'dark'],
    ['dark', 'light'],
    ['dark', 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    const before = await canvas.elementHandle()
    await button.click()
    await expect(root).toHaveAttribute('data-theme', theme)
    await expect.poll(() => before?.evaluate(({ isConnected }) => isConnected)).toBe(false)
    await expect(canvas).toHaveCount(1)
  }
  await page.goto(`http://localhost:${site.port}/`)
  await expect(root).toHaveAttribute('data-theme', 'dark')
})

test('older messages are shown on request, and one is deleted after a question', async ({
  page,
}) => {
  await signIn(page, '/messages')
  const list = page.getByRole('list', { name: 'Messages' })
  const showOlder = page.getByRole('button', { name: 'Show older messages' })
  await expect(list.getByText('Is there a trial?')).toBeVisible()
  await expect(list.getByText('Older question 0', { exact: true })).toBeHidden()
  await showOlder.press('Enter')
  await expect(list.getByText('Older question 0', { exact: true })).toBeVisible()
  await expect(list.getByText('Is there a trial?')).toBeVisible()
  await expect(showOlder).toBeHidden()
  await expect(page.getByRole('button', { name: 'No older messages' })).toBeFocused()
  // A change keeps the older messages, and what is not saved yet.
  const oldest = list
    .getByRole('listitem')
    .filter({ has: page.getByText('Older question 0', { exact: true }) })
  const other = list.getByRole('listitem').filter({ hasText: 'Is there a trial?' })
  await other.getByLabel('Note').fill('Ask Grace')
  await oldest.getByLabel('State').selectOption('closed')
  await oldest.getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('option', { hasText: 'closed (1)' })).toHaveCount(1)
  await expect(oldest.getByLabel('State')).toHaveValue('closed')
  await expect(oldest.getByRole('button', { name: 'Save' })).toBeFocused()
  const unwanted = list.getByRole('listitem').filter({ hasText: 'Cheap watches' })
  const dialog = page.getByRole('dialog', { name: 'Delete this message?' })
  await unwanted.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(unwanted).toBeVisible()
  await unwanted.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(unwanted).toBeHidden()
  await expect(list).toBeFocused()
  await expect(oldest).toBeVisible()
  await expect(other.getByLabel('Note')).toHaveValue('Ask Grace')
  await page.reload()
  await expect(list.getByText('Is there a trial?')).toBeVisible()
  await expect(unwanted).toBeHidden()
})

for (const view of ['messages', 'pages'])
  test(`the view of ${view} shows that a proxy answers instead of the site`, async ({ page }) => {
    await signIn(page, '/sessions')
    await page.route(
      ({ pathname }) => pathname === `/_ops/api/${view}`,
      (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await page.goto(at(`/${view}`))
    await expect(page.getByRole('alert')).toHaveText('The server answered 502.')
    await expect(page.getByText('Loading…')).toBeHidden()
  })

test('a part of the pages that cannot be read is requested again only when the operator asks', async ({
  page,
}) => {
  await signIn(page, '/sessions')
  let isFailing = true
  let requests = 0
  await page.route(
    ({ pathname, searchParams }) => pathname === '/_ops/api/pages' && searchParams.has('after'),
    (route) => {
      requests += 1
      return isFailing ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue()
    },
  )
  await page.goto(at('/pages'))
  const table = page.getByRole('region', { name: 'Pages' })
  await expect(async () => {
    await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect(page.getByRole('alert')).toBeVisible({ timeout: 100 })
  }).toPass()
  await table.evaluate((element) => element.scrollTo(0, 0))
  await table.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  expect(requests).toBe(1)
  isFailing = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(table).toBeFocused()
  await expect.poll(() => requests).toBeGreaterThan(1)
})

test('the overview shows why the server refuses a filter', async ({ page }) => {
  await signIn(page, '?from=2026-03-02&to=2026-03-01')
  await expect(page.getByRole('alert')).toHaveText('from comes after to')
})

test("a message is answered with a note; then the person's data is deleted and not found", async ({
  page,
}) => {
  const failures = watchFailures(page)
  await signIn(page, '/messages')
  const message = page.getByRole('listitem').filter({ hasText: 'Please call me' })
  await message.getByLabel('State').selectOption('answered')
  await message.getByLabel('Note').fill('Called on Monday')
  await message.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('group', { name: 'Filter' }).getByLabel('State').selectOption('answered')
  await expect(page).toHaveURL(/\?state=answered$/)
  await expect(page.getByText('Is there a trial?')).toBeHidden()
  await expect(message.getByLabel('Note')).toHaveValue('Called on Monday')
  await expectNoViolations(page)

  await page.getByRole('link', { name: 'Privacy' }).click()
  await page.getByLabel('Device id or email address').fill('Caller@Example.org')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('1 row found.')).toBeVisible()
  await expectNoViolations(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('person.json')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream())
    chunks.push(Buffer.from(chunk as Uint8Array))
  expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toMatchObject({
    messages: [{ email: 'caller@example.org', message: 'Please call me' }],
  })
  await page.getByRole('button', { name: 'Delete all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await expect(page.getByText('1 row deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('Nothing found.')).toBeVisible()
  await page.getByRole('link', { name: 'Messages' }).click()
  await expect(page.getByText('Is there a trial?')).toBeVisible()
  await expect(page.getByText('Please call me')).toBeHidden()
  expect(failures).toEqual([])
})

test('an operator filters pages, opens one, purges it, and the next visit is a miss', async ({
  page,
}) => {
  const failures = watchFailures(page)
  const cacheStatus = async (): Promise<string> =>
    String((await site.get('/docs/proxies')).headers['cache-status'])
  await cacheStatus()
  expect(await cacheStatus()).toMatch(/hit/)
  await signIn(page, '/pages')
  await page.getByLabel('Collection').selectOption('docs')
  await page.getByLabel('Language', { exact: true }).selectOption('en')
  await page.getByLabel('Part of the id').fill('proxies')
  await expect(page).toHaveURL(/collection=docs&locale=en&search=proxies/)
  const row = page.getByRole('row').filter({ hasText: 'docs/proxies' })
  await expect(row.getByRole('cell', { name: 'there' })).toBeVisible()
  await expectNoViolations(page)
  await row.getByRole('button', { name: 'docs/proxies' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('BreadcrumbList').first()).toBeVisible()
  const tags = dialog.getByRole('list', { name: 'Tags' }).first()
  await expect(tags.getByText('docs/proxies', { exact: true })).toBeVisible()
  await expectNoViolations(page)
  await dialog.getByRole('button', { name: 'Purge' }).click()
  await expect(dialog.getByText(/stored answers? purged\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(await cacheStatus()).toMatch(/fwd=miss/)
  expect(failures).toEqual([])
})

test('the details of a page that cannot be read are those that the server knows', async ({
  page,
}) => {
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  await signIn(page, '/pages?collection=docs&locale=en&search=proxies')
  await page.route('**/docs/proxies', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await page.getByRole('button', { name: 'docs/proxies', exact: true }).click()
  await failed
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('the page', { exact: true })).toBeVisible()
  await expect(dialog.getByText('no problems')).toBeVisible()
  await expect(dialog.getByText('Structured data')).toBeHidden()
  expect(failures).toEqual([])
})
