/** The site in front of a backend that implements the original specification and nothing else. */
import { rmSync } from 'node:fs'
import { expect, type BrowserContext, type Page } from '@playwright/test'
import { test } from '../../../testing/browser-test'
import { tawk } from '../../../testing/chat-widgets'
import { contentWith } from '../../../testing/content-copy'
import { startIdentityProvider, type IdentityProvider } from '../../../testing/identity-provider'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'
import { startSpecBackend, type SpecBackend } from '../../../testing/spec-backend'
import { startUpstream, type TestUpstream } from '../../../testing/upstream'
import { hydrated } from '../../../testing/watch-page'

const chatScript = 'https://widget.chat.test/main.js'
const pixel = 'https://pixel.stats.test/p.gif?id=1'

let identity: IdentityProvider
let backend: SpecBackend
let application: TestUpstream
let content: string
let settings: Record<string, string>
let site: TestSite
test.beforeAll(async () => {
  identity = await startIdentityProvider()
  application = await startUpstream((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>The application</h1>'),
  )
  backend = await startSpecBackend({
    'GET /home/base-info': () => ({
      register_url: `${application.origin}/join`,
      title: 'The title of the backend',
      statistical_title: '<meta name="google-site-verification" content="of-the-backend">',
      statistical_body: `<img src="${pixel}" width="1" height="1">`,
    }),
    'GET /sys/config/chat-type': () => ({ chat: 'other', chat_info: { js: chatScript } }),
    'GET /client/sys-client-version/get-latest-version': () => ({
      url: `${application.origin}/setup.exe`,
    }),
  })
  content = contentWith({
    one_tap_target: 'new',
    csp: { connect: [], img: ['https://pixel.stats.test'], frame: [], style: [] },
  })
  settings = {
    ...identity.settings,
    CONTENT_DIR: content,
    API_UPSTREAM: `${backend.origin}/backend`,
    APP_URL: `${application.origin}/enter?from=site`,
    UPSTREAM_SIGNIN: 'spec',
  }
  site = await startTestSite({ ...settings, UPSTREAM_PUBLIC_KEY: backend.publicKey })
})
test.afterAll(async () => {
  await site.stop()
  await Promise.all([identity.stop(), backend.stop(), application.stop()])
  rmSync(content, { recursive: true, force: true })
})

type Visit = { page: Page; pixels: string[] }

/** Opens a page whose clock the test can move. */
async function visit(context: BrowserContext, path: string, port = site.port): Promise<Visit> {
  const pixels: string[] = []
  await context.route('https://widget.chat.test/**', (route) =>
    route.fulfill({ status: 200, contentType: 'text/javascript', body: tawk }),
  )
  await context.route('https://pixel.stats.test/**', (route) => {
    pixels.push(route.request().url())
    return route.fulfill({ status: 204 })
  })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`http://localhost:${port}${path}`)
  await hydrated(page)
  return { page, pixels }
}
/** Moves the clock of the page on until an element is there. */
const appears = (page: Page, selector: string): Promise<void> =>
  expect
    .poll(
      async () => {
        await page.clock.fastForward(1000)
        return page.locator(selector).isVisible()
      },
      { timeout: 20_000, intervals: [100], message: selector },
    )
    .toBe(true)
const prompt = '#identity-prompt button'
/** Makes the page look hidden, which sends the pending events. */
const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

/** The tokens with which the application was opened. */
const spentTokens = (): Array<string | null> =>
  application.requests
    .filter(({ url }) => url.startsWith('/enter'))
    .map(({ url }) => new URL(url, application.origin).searchParams.get('cpl'))

test.afterEach(() => expect(backend.unknown).toEqual([]))

test('a visit reaches the backend: base info, source, referral code, fingerprint and events', async ({
  context,
}) => {
  await eventually(async () =>
    expect((await site.get('/')).body).toContain('<title>The title of the backend</title>'),
  )
  const { page, pixels } = await visit(context, '/?ref=friend-1&utm_source=spring')
  expect(await page.locator('[data-action="register"]').first().getAttribute('href')).toContain(
    `${application.origin}/join?`,
  )
  await eventually(() => expect(pixels).toEqual([pixel]))
  const [source] = await eventually(() => {
    const found = backend.calls('/sys/user/passport/record-source')
    expect(found).toHaveLength(1)
    return found
  })
  expect(JSON.parse(source?.form.get('source_data') ?? '')).toMatchObject({ utm_source: 'spring' })
  await eventually(() => {
    expect(backend.calls('/sys/config/ref/set').map(({ query }) => query.get('c_v'))).toEqual([
      'friend-1',
    ])
    expect(backend.calls('/client/record-data/log')).toHaveLength(1)
  })
  await hide(page)
  const [batch] = await eventually(() => {
    const found = backend.calls('/sys/config/event')
    expect(found.length).toBeGreaterThan(0)
    return found
  })
  const opened = JSON.parse(
    backend.open(batch?.form.get('_t') ?? '', batch?.form.get('_a') ?? ''),
  ) as { list: Array<{ kind: string }>; comm: { device_id: string } }
  expect(opened.list.map(({ kind }) => kind)).toContain('view')
  expect(opened.comm.device_id).not.toBe('')
})

test('one-tap sends the form of the specification and opens the application once, in a new tab', async ({
  context,
}) => {
  const before = spentTokens().length
  const { page } = await visit(context, '/pricing?ref=friend-2&utm_source=autumn')
  await appears(page, prompt)
  const [tab] = await Promise.all([
    // The tab may be a new process, which takes long to start on a busy machine.
    context.waitForEvent('page', { timeout: 60_000 }),
    page.locator(prompt).click(),
  ])
  await tab.waitForURL(`${application.origin}/**`)
  await expect(tab.locator('h1')).toHaveText('The application')
  const { searchParams } = new URL(tab.url())
  expect([searchParams.get('from'), (searchParams.get('cpl') ?? '').length]).toEqual(['site', 36])
  // The page of the site stays, and the application cannot reach it.
  expect(new URL(page.url()).pathname).toBe('/pricing')
  expect(await tab.evaluate(() => window.opener as unknown)).toBeNull()
  expect(spentTokens().slice(before)).toEqual([searchParams.get('cpl')])

  const form = backend.calls('/sys/user/passport/authorized-login').at(-1)?.form
  const { credential = '', ...fields } = Object.fromEntries(form ?? [])
  expect(fields).toEqual({
    third_party: 'google',
    third_party_action_type: 'one_tap',
    invite_code: 'friend-2',
    regParam: 'friend-2',
    language: 'en-US',
    source: 'autumn',
    referer: '',
    redirect_data: '',
  })
  const [wrappedKey = '', sealed = ''] = credential.split('.')
  const [, claims = ''] = backend.open(wrappedKey, sealed).split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    email: 'ada@example.com',
    nonce: '',
  })
})

test('one-tap opens the application once in the same tab where the browser blocks new ones', async ({
  context,
}) => {
  const before = spentTokens().length
  await context.addInitScript(() => {
    window.open = () => null
  })
  const { page } = await visit(context, '/pricing')
  await appears(page, prompt)
  await page.locator(prompt).click()
  await page.waitForURL(`${application.origin}/**`)
  expect(spentTokens().slice(before)).toEqual([new URL(page.url()).searchParams.get('cpl')])
})

test('chat and download come from the backend', async ({ browser }) => {
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
  })
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'userAgentData', { value: undefined }),
  )
  const { page } = await visit(context, '/download')
  await appears(page, '[data-shell="chat-buttons"] button')
  const [chatType] = backend.calls('/sys/config/chat-type').slice(-1)
  expect(Object.fromEntries(chatType?.query ?? [])).toEqual({ lang: 'en-US', type: 'www' })
  await page.locator('[data-shell="chat-buttons"] button').click()
  await expect(page.locator('#tawk-frame')).toHaveAttribute('height', '480')

  const versions = '/client/sys-client-version/get-latest-version'
  const before = backend.calls(versions).length
  await page.locator('[data-detected]').first().click()
  await page.waitForURL(`${application.origin}/setup.exe`)
  // The calls before are those of the server, for the list of files.
  const asked = backend.calls(versions).slice(before)
  expect(asked.map(({ query }) => query.get('system'))).toEqual(['com_win64'])
  await context.close()
})

test('without a key neither credentials nor events are sent', async ({ context }) => {
  const keyless = await startTestSite(settings)
  const sent = () =>
    ['/sys/config/event', '/sys/user/passport/authorized-login'].flatMap((path) =>
      backend.calls(path),
    ).length
  const before = sent()
  try {
    const { page } = await visit(context, '/faq?utm_source=winter', keyless.port)
    // The chat is the last service to start: the prompt would have been there before.
    await appears(page, '[data-shell="chat-buttons"] button')
    await expect(page.locator(prompt)).toHaveCount(0)
    await hide(page)
    await page.goto('about:blank')
    expect(sent()).toBe(before)
  } finally {
    await keyless.stop()
  }
})
