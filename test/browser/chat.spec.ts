import { rmSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { chat as numbers } from '../../shared/constants'
import { contentWith } from '../../testing/content-copy'
import { startTestSite, type TestSite } from '../../testing/site'
import { hydrated } from '../../testing/watch-page'

const script = 'https://widget.chat.test/plugin/main.js'
const defaultScript = 'https://other.chat.test/default.js'
const skipped = '9.9.9.9'

let site: TestSite
let content: string
test.beforeAll(async () => {
  // As providers give it: a snippet of HTML, its slashes escaped, with a second address behind.
  content = contentWith({
    chat: {
      type: 'SS_HUMAN',
      script: `<script>(function(){var s='${script.replaceAll('/', '\\/')}';load(s,'https://widget.chat.test/later.js')})()</script>`,
      provider: 'ss',
    },
  })
  site = await startTestSite({
    CONTENT_DIR: content,
    DEFAULT_CHAT_SCRIPT: defaultScript,
    CHAT_SKIP_IP: skipped,
    TRUST_PROXY: '1',
  })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

/**
 * A widget as the page sees one: a frame that is 60 px high while it is closed and 480 px while it is open, and a global to open it by. `global`
 * is what only this provider has.
 */
const widget = (global: 'ssq' | 'easemobim'): string => `(() => {
  const frame = document.createElement('iframe')
  frame.id = 'chat-frame'
  frame.height = 60
  document.body.append(frame)
  const open = () => { frame.height = 480 }
  window.${global} = ${global === 'ssq' ? "{ push: (name) => name === 'chatOpen' && open() }" : '{ bind: open }'}
})()`
const javascript = (body: string) => ({ status: 200, contentType: 'text/javascript', body })

type Asked = { api: URL[]; scripts: string[] }
/** Opens a page with providers of chats that this test plays; notes what is asked of the API and of them. */
async function visit(
  context: BrowserContext,
  host: string,
  path: string,
  { global = 'ssq', from = '8.8.8.8' }: { global?: 'ssq' | 'easemobim'; from?: string } = {},
): Promise<{ page: Page; asked: Asked }> {
  const asked: Asked = { api: [], scripts: [] }
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': from })
  await context.route('https://*.chat.test/**', (route) => {
    asked.scripts.push(route.request().url())
    return route.fulfill(javascript(widget(global)))
  })
  const page = await context.newPage()
  page.on(
    'request',
    (request) =>
      /chat-type|chat\/choose/.test(request.url()) && asked.api.push(new URL(request.url())),
  )
  await page.goto(`http://${host}:${site.port}${path}`)
  await hydrated(page)
  // The visitor's side starts after the page: a click before it opens the site's own panel.
  await page.waitForTimeout(1500)
  return { page, asked }
}
const buttons = (page: Page) => page.locator('[data-shell="chat-buttons"]')
const button = (page: Page) => buttons(page).locator('button')
const frame = (page: Page) => page.locator('#chat-frame')
const setHeight = (page: Page, height: number): Promise<void> =>
  frame(page).evaluate((element, px) => element.setAttribute('height', String(px)), height)
const bottomOf = (page: Page): Promise<number> =>
  buttons(page).evaluate((element) =>
    Math.round(window.innerHeight - element.getBoundingClientRect().bottom),
  )
const frameHeight = (page: Page): Promise<number> =>
  frame(page).evaluate((element) => Math.round(element.getBoundingClientRect().height))

test('nothing of a chat loads before somebody shows interest; then the widget opens and the button makes way', async ({
  context,
}) => {
  const { page, asked } = await visit(context, 'localhost', '/pricing')
  await button(page).waitFor()
  await page.waitForTimeout(1000)
  expect(asked).toEqual({ api: [], scripts: [] })
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
  await expect(buttons(page)).toHaveCount(0)
  // The first address of the snippet, and no other.
  expect(asked.scripts).toEqual([script])
  // Outside Chinese nobody chooses between providers.
  expect(asked.api.map(({ pathname, search }) => `${pathname}${search}`)).toEqual([
    '/api/sys/config/chat-type?lang=en-US&type=www',
  ])
  // Closed again: the button is back, above the widget's own.
  await setHeight(page, 60)
  await expect(buttons(page)).toBeVisible()
})

test('the button stands 93 and 5 px above the edge, or 5 px above a frame that is higher', async ({
  context,
}) => {
  const { page } = await visit(context, 'localhost', '/faq')
  await button(page).waitFor()
  expect(await bottomOf(page)).toBe(numbers.bottomOffset + numbers.gap)
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
  for (const height of [60, 180, 40]) {
    await setHeight(page, height)
    await expect(buttons(page)).toBeVisible()
    await expect
      .poll(() => bottomOf(page), { timeout: 5000 })
      .toBe(Math.max(numbers.bottomOffset, await frameHeight(page)) + numbers.gap)
  }
})

test('a page that is idle for 5 s loads the chat by itself, and does not open it', async ({
  context,
}) => {
  const { page, asked } = await visit(context, 'localhost', '/links')
  await frame(page).waitFor({ timeout: 15_000 })
  await page.waitForTimeout(numbers.pollEvery * 2)
  await expect(frame(page)).toHaveAttribute('height', '60')
  await expect(buttons(page)).toBeVisible()
  expect(asked.scripts).toEqual([script])
})

for (const { host, path } of [
  { host: 'zh.localhost', path: '/pricing' },
  { host: 'localhost', path: '/tc/pricing' },
]) {
  test(`in Chinese (${host}${path}) third/chat/choose decides which widget is spoken to`, async ({
    context,
  }) => {
    await context.route('**/api/third/chat/choose**', (route) =>
      route.fulfill({ json: { code: 0, msg: 'ok', data: { type: 'easemob' } } }),
    )
    const { page, asked } = await visit(context, host, path, { global: 'easemobim' })
    await button(page).click()
    await expect(frame(page)).toHaveAttribute('height', '480')
    const [, choice] = asked.api
    expect([
      choice?.pathname,
      choice?.searchParams.get('lang'),
      choice?.searchParams.get('ip'),
    ]).toEqual(['/api/third/chat/choose', 'zh', '8.8.8.8'])
    await expect(buttons(page)).toHaveCount(0)
  })
}

test("the site's own answer chooses as well", async ({ context }) => {
  const { page } = await visit(context, 'zh.localhost', '/faq', { global: 'ssq' })
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
})

for (const { name, break: breakIt } of [
  {
    name: 'the configuration cannot be had',
    break: (context: BrowserContext) =>
      context.route('**/api/sys/config/chat-type**', (route) =>
        route.fulfill({ status: 500, json: { code: 50000, msg: 'no', data: null } }),
      ),
  },
  {
    name: 'the configuration is a failure by its code',
    break: (context: BrowserContext) =>
      context.route('**/api/sys/config/chat-type**', (route) =>
        route.fulfill({ json: { code: 7, msg: 'no', data: null } }),
      ),
  },
  {
    name: 'its script is no https address',
    break: (context: BrowserContext) =>
      context.route('**/api/sys/config/chat-type**', (route) =>
        route.fulfill({
          json: {
            code: 0,
            msg: 'ok',
            data: { chat: 'other', chat_info: { js: 'http://widget.chat.test/a.js' } },
          },
        }),
      ),
  },
  {
    name: 'its script does not load',
    break: (context: BrowserContext) => context.route(script, (route) => route.abort()),
  },
]) {
  test(`the default script is loaded when ${name}`, async ({ context }) => {
    const { page, asked } = await visit(context, 'localhost', '/pricing')
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await breakIt(context)
    await button(page).click()
    await frame(page).waitFor()
    expect(asked.scripts).toEqual([defaultScript])
    expect(warnings.length).toBeLessThanOrEqual(1)
  })
}

test("when the default script fails too, and for the address that is left out, the site's own panel opens", async ({
  context,
  browser,
}) => {
  const { page } = await visit(context, 'localhost', '/pricing')
  await context.route('https://*.chat.test/**', (route) => route.abort())
  await button(page).click()
  await expect(page.locator('[data-shell="message-panel"]')).toBeVisible()

  const other = await browser.newContext()
  const { page: second, asked } = await visit(other, 'localhost', '/pricing', { from: skipped })
  await button(second).click()
  await expect(second.locator('[data-shell="message-panel"]')).toBeVisible()
  expect(asked).toEqual({ api: [], scripts: [] })
  await other.close()
})
