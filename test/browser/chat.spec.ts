import { rmSync } from 'node:fs'
import { expect, test, type BrowserContext, type Page } from '@playwright/test'
import { chat as chatLimits } from '../../shared/constants'
import { contentWith } from '../../testing/content-copy'
import { startTestSite, type TestSite } from '../../testing/site'
import { hydrated } from '../../testing/watch-page'

const script = 'https://widget.chat.test/plugin/main.js'
const defaultScript = 'https://other.chat.test/default.js'
const skippedIp = '9.9.9.9'

let site: TestSite
let content: string
test.beforeAll(async () => {
  // A snippet as providers publish it: HTML with escaped slashes and a second address.
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
    CHAT_SKIP_IP: skippedIp,
    TRUST_PROXY: '1',
  })
})
test.afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

/**
 * Script of a fake widget: a frame that is 60 px high while closed and 480 px while open, and the
 * provider's global function that opens it.
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

type Requests = { api: URL[]; scripts: string[] }
/** Opens a page with fake chat providers; records the requests to them and to the chat API. */
async function visit(
  context: BrowserContext,
  host: string,
  path: string,
  { global = 'ssq', from = '8.8.8.8' }: { global?: 'ssq' | 'easemobim'; from?: string } = {},
): Promise<{ page: Page; requests: Requests }> {
  const requests: Requests = { api: [], scripts: [] }
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': from })
  await context.route('https://*.chat.test/**', (route) => {
    requests.scripts.push(route.request().url())
    return route.fulfill(javascript(widget(global)))
  })
  const page = await context.newPage()
  page.on(
    'request',
    (request) =>
      /chat-type|chat\/choose/.test(request.url()) && requests.api.push(new URL(request.url())),
  )
  await page.goto(`http://${host}:${site.port}${path}`)
  await hydrated(page)
  // The chat starts after the page; before that a click opens the site's own panel.
  await page.waitForTimeout(1500)
  return { page, requests }
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

test('the chat loads on the first click, then the widget opens and the button is hidden', async ({
  context,
}) => {
  const { page, requests } = await visit(context, 'localhost', '/pricing')
  await button(page).waitFor()
  await page.waitForTimeout(1000)
  expect(requests).toEqual({ api: [], scripts: [] })
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
  await expect(buttons(page)).toHaveCount(0)
  // Only the first address of the snippet is loaded.
  expect(requests.scripts).toEqual([script])
  // The choice between providers is for Chinese pages only.
  expect(requests.api.map(({ pathname, search }) => `${pathname}${search}`)).toEqual([
    '/api/sys/config/chat-type?lang=en-US&type=www',
  ])
  // After the widget closes, the button is back above the widget's own.
  await setHeight(page, 60)
  await expect(buttons(page)).toBeVisible()
})

test('the button is 93 + 5 px above the edge, or 5 px above a higher frame', async ({
  context,
}) => {
  const { page } = await visit(context, 'localhost', '/faq')
  await button(page).waitFor()
  expect(await bottomOf(page)).toBe(chatLimits.bottomOffsetPx + chatLimits.gapPx)
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
  for (const height of [60, 180, 40]) {
    await setHeight(page, height)
    await expect(buttons(page)).toBeVisible()
    await expect
      .poll(() => bottomOf(page), { timeout: 5000 })
      .toBe(Math.max(chatLimits.bottomOffsetPx, await frameHeight(page)) + chatLimits.gapPx)
  }
})

test('a page that is idle for 5 s loads the chat without opening it', async ({ context }) => {
  const { page, requests } = await visit(context, 'localhost', '/links')
  await frame(page).waitFor({ timeout: 15_000 })
  await page.waitForTimeout(chatLimits.pollIntervalMs * 2)
  await expect(frame(page)).toHaveAttribute('height', '60')
  await expect(buttons(page)).toBeVisible()
  expect(requests.scripts).toEqual([script])
})

for (const { host, path } of [
  { host: 'zh.localhost', path: '/pricing' },
  { host: 'localhost', path: '/tc/pricing' },
]) {
  test(`in Chinese (${host}${path}) third/chat/choose decides which widget is used`, async ({
    context,
  }) => {
    await context.route('**/api/third/chat/choose**', (route) =>
      route.fulfill({ json: { code: 0, msg: 'ok', data: { type: 'easemob' } } }),
    )
    const { page, requests } = await visit(context, host, path, { global: 'easemobim' })
    await button(page).click()
    await expect(frame(page)).toHaveAttribute('height', '480')
    const [, choice] = requests.api
    expect([
      choice?.pathname,
      choice?.searchParams.get('lang'),
      choice?.searchParams.get('ip'),
    ]).toEqual(['/api/third/chat/choose', 'zh', '8.8.8.8'])
    await expect(buttons(page)).toHaveCount(0)
  })
}

test("the site's own answer also chooses the provider", async ({ context }) => {
  const { page } = await visit(context, 'zh.localhost', '/faq', { global: 'ssq' })
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
})

for (const { name, break: breakIt } of [
  {
    name: 'the configuration cannot be fetched',
    break: (context: BrowserContext) =>
      context.route('**/api/sys/config/chat-type**', (route) =>
        route.fulfill({ status: 500, json: { code: 50000, msg: 'no', data: null } }),
      ),
  },
  {
    name: 'the configuration has a failure code',
    break: (context: BrowserContext) =>
      context.route('**/api/sys/config/chat-type**', (route) =>
        route.fulfill({ json: { code: 7, msg: 'no', data: null } }),
      ),
  },
  {
    name: 'the address of its script is not https',
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
    const { page, requests } = await visit(context, 'localhost', '/pricing')
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await breakIt(context)
    await button(page).click()
    await frame(page).waitFor()
    expect(requests.scripts).toEqual([defaultScript])
    expect(warnings.length).toBeLessThanOrEqual(1)
  })
}

test("the site's own panel opens without a working script, and for the skipped address", async ({
  context,
  browser,
}) => {
  const { page } = await visit(context, 'localhost', '/pricing')
  await context.route('https://*.chat.test/**', (route) => route.abort())
  await button(page).click()
  await expect(page.locator('[data-shell="message-panel"]')).toBeVisible()

  const other = await browser.newContext()
  const { page: second, requests } = await visit(other, 'localhost', '/pricing', {
    from: skippedIp,
  })
  await button(second).click()
  await expect(second.locator('[data-shell="message-panel"]')).toBeVisible()
  expect(requests).toEqual({ api: [], scripts: [] })
  await other.close()
})
