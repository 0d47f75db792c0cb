import { rmSync } from 'node:fs'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { chat as chatLimits } from '../../../shared/constants'
import { test } from '../../../testing/browser-test'
import { easemob, ownButton, saleSmartly, silent, tawk } from '../../../testing/chat-widgets'
import { contentWith } from '../../../testing/content-copy'
import { startTestSite, type TestSite } from '../../../testing/site'
import { hydrated } from '../../../testing/watch-page'

const script = 'https://widget.chat.test/plugin/main.js'
const defaultScript = 'https://other.chat.test/default.js'
const skippedIp = '9.9.9.9'
/** A snippet as providers publish it: HTML with escaped slashes and a second address. */
const snippet = `<script>(function(){var s='${script.replaceAll('/', '\\/')}';load(s,'https://widget.chat.test/later.js')})()</script>`

let site: TestSite
let content: string
test.beforeAll(async () => {
  content = contentWith({
    // In Chinese the call `third/chat/choose` answers `other`, which leaves the configured kind.
    chat: {
      type: 'SS_ROBOT',
      script: snippet,
      provider: 'other',
      by_language: { es: { type: 'HUAN_XIN', script: 'https://es.chat.test/easemob.js' } },
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

type Visit = { page: Page; api: URL[]; scripts: string[]; warnings: string[] }

/**
 * Opens a page whose clock the test moves. `widget` answers every script of a provider; `api` and
 * `scripts` are the requests for the chat.
 */
async function visit(
  context: BrowserContext,
  {
    host = 'localhost',
    path = '/pricing',
    widget = saleSmartly,
    from = '8.8.8.8',
  }: { host?: string; path?: string; widget?: string; from?: string },
): Promise<Visit> {
  const opened: Omit<Visit, 'page'> = { api: [], scripts: [], warnings: [] }
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': from })
  await context.route('https://*.chat.test/**', (route) => {
    opened.scripts.push(route.request().url())
    return route.fulfill({ status: 200, contentType: 'text/javascript', body: widget })
  })
  const page = await context.newPage()
  page.on('request', (request) => {
    if (/chat-type|chat\/choose/.test(request.url())) opened.api.push(new URL(request.url()))
  })
  page.on('console', (message) => {
    if (message.type() === 'warning') opened.warnings.push(message.text())
  })
  await page.clock.install()
  await page.goto(`http://${host}:${site.port}${path}`)
  await hydrated(page)
  return { page, ...opened }
}

/** Answers the call `chat-type` with a configuration. */
const configure = (context: BrowserContext, chat: string, js: string): Promise<unknown> =>
  context.route('**/api/sys/config/chat-type**', (route) =>
    route.fulfill({ json: { code: 0, msg: 'ok', data: { chat, chat_info: { js } } } }),
  )

const buttons = (page: Page) => page.locator('[data-shell="chat-buttons"]')
const button = (page: Page) => buttons(page).locator('button')
const panel = (page: Page) => page.locator('[data-shell="message-panel"]')
const frame = (page: Page) => page.locator('iframe')
const setHeight = (page: Page, height: number): Promise<void> =>
  frame(page).evaluate((element, px) => element.setAttribute('height', String(px)), height)

/** Moves the clock of the page on until a condition holds. */
const eventually = (
  page: Page,
  condition: () => Promise<boolean> | boolean,
  message: string,
): Promise<void> =>
  expect
    .poll(
      async () => {
        await page.clock.fastForward(chatLimits.pollIntervalMs)
        return condition()
      },
      { timeout: 20_000, intervals: [50], message },
    )
    .toBe(true)
const buttonShown = (page: Page): Promise<void> =>
  eventually(page, () => buttons(page).isVisible(), 'the button is shown')
const buttonHidden = (page: Page): Promise<void> =>
  eventually(page, async () => (await buttons(page).count()) === 0, 'the button is hidden')
const loaded = ({ page, scripts }: Visit): Promise<void> =>
  eventually(page, () => scripts.length > 0, 'the script is loaded')

test('the call chat-type answers for the language that it is asked for', async () => {
  const chatIn = async (lang: string): Promise<unknown> =>
    (
      JSON.parse((await site.get(`/api/sys/config/chat-type?lang=${lang}&type=www`)).body) as {
        data: unknown
      }
    ).data
  expect(await chatIn('es-ES')).toEqual({
    chat: 'HUAN_XIN',
    chat_info: { js: 'https://es.chat.test/easemob.js' },
  })
  for (const lang of ['en-US', 'zh-HK'])
    expect(await chatIn(lang)).toEqual({ chat: 'SS_ROBOT', chat_info: { js: snippet } })
})

test('the button is shown once the widget is ready, hidden while it is open, and shown again', async ({
  context,
}) => {
  const visited = await visit(context, {})
  const { page, api, scripts } = visited
  await expect(buttons(page)).toHaveCount(0)
  // A page that is idle loads the chat and does not open it.
  await loaded(visited)
  await page.waitForFunction(() => 'reportReady' in window)
  await page.clock.fastForward(chatLimits.pollIntervalMs * 2)
  await expect(buttons(page)).toHaveCount(0)
  await page.evaluate('reportReady()')
  await buttonShown(page)
  await expect(frame(page)).toHaveAttribute('height', '60')
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
  await buttonHidden(page)
  await page.evaluate("ssq.push('chatClose')")
  await buttonShown(page)
  // Only the first address of the snippet is loaded; only Chinese pages choose a provider.
  expect(scripts).toEqual([script])
  expect(api.map(({ pathname, search }) => `${pathname}${search}`)).toEqual([
    '/api/sys/config/chat-type?lang=en-US&type=www',
  ])
})

test('the button is 93 + 5 px above the edge, or 5 px above a higher frame', async ({
  context,
}) => {
  const visited = await visit(context, { path: '/faq' })
  const { page } = visited
  await loaded(visited)
  await page.waitForFunction(() => 'reportReady' in window)
  await page.evaluate('reportReady()')
  for (const height of [60, 180, 40]) {
    await setHeight(page, height)
    await buttonShown(page)
    const frameHeight = await frame(page).evaluate((element) =>
      Math.round(element.getBoundingClientRect().height),
    )
    const bottom = Math.max(chatLimits.bottomOffsetPx, frameHeight) + chatLimits.gapPx
    await eventually(
      page,
      async () =>
        (await buttons(page).evaluate((element) =>
          Math.round(window.innerHeight - element.getBoundingClientRect().bottom),
        )) === bottom,
      `the button is ${bottom} px above the edge`,
    )
  }
})

for (const { host, path } of [
  { host: 'zh.localhost', path: '/pricing' },
  { host: 'localhost', path: '/tc/pricing' },
]) {
  test(`in Chinese (${host}${path}) the choice "other" leaves SS_ROBOT, whose widget opens`, async ({
    context,
  }) => {
    const visited = await visit(context, { host, path })
    const { page, api } = visited
    await loaded(visited)
    await page.waitForFunction(() => 'reportReady' in window)
    await page.evaluate('reportReady()')
    await buttonShown(page)
    await button(page).click()
    await expect(frame(page)).toHaveAttribute('height', '480')
    const [, choice] = api
    expect([
      choice?.pathname,
      choice?.searchParams.get('lang'),
      choice?.searchParams.get('ip'),
    ]).toEqual(['/api/third/chat/choose', 'zh', '8.8.8.8'])
  })
}

for (const { name, chat, choice, js, id } of [
  {
    name: 'in its snippet, with an address that has no scheme',
    chat: 'HUAN_XIN',
    choice: 'other',
    js: `<script>window.easemobim = {}; easemobim.config = { configId: 'ab-12', hide: true }</script><script src='//widget.chat.test/webim/easemob.js' async></script>`,
    id: 'ab-12',
  },
  {
    name: 'in the address of its script, chosen by third/chat/choose',
    chat: 'other',
    choice: 'easemob',
    js: "<script src='https://widget.chat.test/webim/easemob.js?tenantId=41977&hide=false'></script>",
    id: '41977',
  },
]) {
  test(`HUAN_XIN opens with the configuration ${name}`, async ({ context }) => {
    await configure(context, chat, js)
    await context.route('**/api/third/chat/choose**', (route) =>
      route.fulfill({ json: { code: 0, msg: 'ok', data: { type: choice } } }),
    )
    const visited = await visit(context, { host: 'zh.localhost', widget: easemob })
    const { page } = visited
    await loaded(visited)
    await buttonShown(page)
    await button(page).click()
    await expect(frame(page)).toHaveAttribute('title', id)
    await expect(frame(page)).toHaveAttribute('height', '480')
    await buttonHidden(page)
  })
}

test('with the provider "other" the button opens a widget that offers a known call', async ({
  context,
}) => {
  await configure(context, 'other', script)
  const visited = await visit(context, { widget: tawk })
  const { page } = visited
  await loaded(visited)
  await buttonShown(page)
  await button(page).click()
  await expect(frame(page)).toHaveAttribute('height', '480')
  await buttonHidden(page)
})

test('the button steps aside for the own button of a script without a known call', async ({
  context,
}) => {
  await configure(context, 'other', script)
  const visited = await visit(context, { widget: ownButton })
  const { page } = visited
  await loaded(visited)
  await page.locator('#own-button').waitFor()
  await page.clock.fastForward(20_000)
  await expect(buttons(page)).toHaveCount(0)
  await expect(panel(page)).toHaveCount(0)
})

test('the message panel opens with a script that neither shows nor offers anything', async ({
  context,
}) => {
  await configure(context, 'other', script)
  const visited = await visit(context, { widget: silent })
  const { page } = visited
  await loaded(visited)
  await buttonShown(page)
  await button(page).click()
  await expect(panel(page)).toBeVisible()
})

const failedAnswer = (json: object, status = 200) => ({
  pattern: '**/api/sys/config/chat-type**',
  answer: { status, json },
})
for (const { name, pattern, answer } of [
  {
    name: 'the configuration cannot be fetched',
    ...failedAnswer({ code: 50000, msg: 'no', data: null }, 500),
  },
  {
    name: 'the configuration has a failure code',
    ...failedAnswer({ code: 7, msg: 'no', data: null }),
  },
  {
    name: 'the address of its script is not https',
    ...failedAnswer({
      code: 0,
      msg: 'ok',
      data: { chat: 'other', chat_info: { js: 'http://widget.chat.test/a.js' } },
    }),
  },
  { name: 'its script does not load', pattern: script, answer: null },
]) {
  test(`the default script is loaded and its widget opens when ${name}`, async ({ context }) => {
    const visited = await visit(context, { widget: tawk })
    const { page, scripts, warnings } = visited
    await context.route(pattern, (route) => (answer ? route.fulfill(answer) : route.abort()))
    await loaded(visited)
    await buttonShown(page)
    await button(page).click()
    await expect(frame(page)).toHaveAttribute('height', '480')
    expect(scripts).toEqual([defaultScript])
    expect(warnings.length).toBeLessThanOrEqual(1)
  })
}

test("the site's own panel opens without a working script, and for the skipped address", async ({
  context,
  browser,
}) => {
  const { page } = await visit(context, {})
  await context.route('https://*.chat.test/**', (route) => route.abort())
  await buttonShown(page)
  await button(page).click()
  await expect(panel(page)).toBeVisible()

  const other = await browser.newContext()
  const { page: second, api, scripts } = await visit(other, { from: skippedIp })
  await buttonShown(second)
  await button(second).click()
  await expect(panel(second)).toBeVisible()
  expect([api, scripts]).toEqual([[], []])
  await other.close()
})
