/**
 * `npm run shots`: pictures of every template in every width, language and theme that the design is judged by, and one
 * contact sheet. `--small` instead writes the few pictures that README and docs show. `-- home pricing` takes only these
 * routes, `--langs=en,th` and `--widths=360` only these.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page as Tab } from 'playwright-core'
import sharp from 'sharp'
import { breakpoints } from '../shared/constants'
import { locales, type LocaleCode } from '../shared/i18n/locales'
import { redirectFor, type Page } from '../shared/routes/availability'
import { href } from '../shared/routes/href'
import { root } from '../testing/root'
import { hostNames, startTestSite } from '../testing/site'
import { templatePages } from '../testing/template-pages'
import { findBrowser } from './browser.mjs'
import { build } from './prepare.mjs'

type Look = { code: LocaleCode; theme: 'light' | 'dark' }
type Shot = { page: Page; look: Look; width: number }

const phone = 360
const allWidths = [phone, breakpoints.mobile, breakpoints.md, breakpoints.xxl]
const allLooks: readonly Look[] = [
  ...(['en', 'zh', 'th', 'ru'] as const).map((code): Look => ({ code, theme: 'light' })),
  { code: 'en', theme: 'dark' },
]
const folder = join(root, 'test-results', 'shots')
const atOnce = 3

const option = (name: string): string[] | null =>
  process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.split('=')[1]
    ?.split(',') ?? null
const nameOf = ({ look, width }: Pick<Shot, 'look' | 'width'>): string =>
  `${look.code}${look.theme === 'dark' ? '-dark' : ''}-${width}`

/** A visitor whose browser speaks the page's language. */
const contextFor = (
  browser: Browser,
  { code, theme }: Look,
  width: number,
  height = width <= phone ? 740 : 900,
): Promise<BrowserContext> =>
  browser.newContext({
    locale: locales[code].language,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  })

/** Shows a page and waits until it takes input. */
async function show(
  context: BrowserContext,
  port: number,
  { page, look }: Pick<Shot, 'page' | 'look'>,
) {
  const tab = await context.newPage()
  // The 502 screen leaves by itself after some seconds, on a busy machine before its picture is taken: only we lead anywhere.
  if (page.route === 'error-502') {
    let arrived = false
    await tab.route('**/*', (route) => {
      if (!route.request().isNavigationRequest()) return route.continue()
      const leaves = arrived
      arrived = true
      return leaves ? route.abort() : route.continue()
    })
  }
  await tab.goto(
    `http://${hostNames[locales[look.code].domain]}:${port}${href(look.code, page.route, page.params)}`,
  )
  await tab.waitForSelector('html[data-hydrated]')
  return tab
}

/** Pictures below the first screen come only when somebody scrolls there: a picture of the whole page would show their places. */
const loadPictures = (tab: Tab): Promise<void> =>
  tab.evaluate(async () => {
    const late = [...document.querySelectorAll<HTMLImageElement>('img[loading="lazy"]')]
    for (const picture of late) picture.loading = 'eager'
    await Promise.all(late.map((picture) => picture.decode().catch(() => undefined)))
  })

async function takeAll(browser: Browser, port: number): Promise<void> {
  const routes = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
  const looks = allLooks.filter(
    ({ code, theme }) =>
      option('langs')?.includes(theme === 'dark' ? `${code}-dark` : code) ?? true,
  )
  const widths = option('widths')?.map(Number) ?? allWidths
  const shots = templatePages
    .filter(({ route }) => routes.length === 0 || routes.includes(route))
    .flatMap((page) =>
      looks.flatMap((look) =>
        redirectFor(page, look.code) ? [] : widths.map((width): Shot => ({ page, look, width })),
      ),
    )
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // One context a look and width, so that scripts and styles are fetched once in it.
  const waiting = looks.flatMap((look) =>
    widths.map((width) => shots.filter((shot) => shot.look === look && shot.width === width)),
  )
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      const [first] = group
      if (!first) continue
      const context = await contextFor(browser, first.look, first.width)
      for (const shot of group) {
        const tab = await show(context, port, shot)
        await loadPictures(tab)
        await tab.screenshot({
          path: join(folder, fileOf(shot)),
          type: 'jpeg',
          quality: 72,
          fullPage: true,
        })
        await tab.close()
      }
      await context.close()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  writeFileSync(join(folder, 'index.html'), contactSheet(shots))
  console.log(`${shots.length} pictures: ${join(folder, 'index.html')}`)
}

const templateOf = ({ route, params }: Page): string => [route, ...Object.values(params)].join('-')
const fileOf = (shot: Shot): string => `${templateOf(shot.page)}-${nameOf(shot)}.jpg`

/** One page with all pictures, a row a template. */
function contactSheet(shots: readonly Shot[]): string {
  const rows = [...new Set(shots.map(({ page }) => templateOf(page)))].map((template) => {
    const figures = shots
      .filter(({ page }) => templateOf(page) === template)
      .map(
        (shot) =>
          `<figure><a href="${fileOf(shot)}"><img loading="lazy" src="${fileOf(shot)}" alt=""></a><figcaption>${nameOf(shot)}</figcaption></figure>`,
      )
    return `<h2 id="${template}">${template}</h2><div>${figures.join('')}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>body{font:14px system-ui;margin:16px}div{display:flex;gap:12px;overflow-x:auto}figure{margin:0;flex:none}img{height:420px;width:auto;border:1px solid #ccc}h2{margin:24px 0 8px}</style>${rows.join('\n')}\n`
}

/** What README and docs show: the first screen of these, small enough for a repository. */
const small: ReadonlyArray<{
  name: string
  page: Page
  look: Look
  width: number
  height: number
}> = [
  {
    name: 'home',
    page: { route: 'home', params: {} },
    look: { code: 'en', theme: 'light' },
    width: breakpoints.md,
    height: 700,
  },
  {
    name: 'home-zh',
    page: { route: 'home', params: {} },
    look: { code: 'zh', theme: 'light' },
    width: breakpoints.md,
    height: 700,
  },
  {
    name: 'home-th',
    page: { route: 'home', params: {} },
    look: { code: 'th', theme: 'light' },
    width: breakpoints.md,
    height: 700,
  },
  {
    name: 'home-dark',
    page: { route: 'home', params: {} },
    look: { code: 'en', theme: 'dark' },
    width: breakpoints.md,
    height: 700,
  },
  {
    name: 'home-phone',
    page: { route: 'home', params: {} },
    look: { code: 'en', theme: 'light' },
    width: phone,
    height: 740,
  },
  {
    name: 'article',
    page: { route: 'blog-article', params: { id: 'choosing-a-proxy-type' } },
    look: { code: 'en', theme: 'light' },
    width: breakpoints.md,
    height: 760,
  },
  {
    name: 'article-phone',
    page: { route: 'blog-article', params: { id: 'choosing-a-proxy-type' } },
    look: { code: 'zh', theme: 'light' },
    width: phone,
    height: 740,
  },
  {
    name: 'docs',
    page: { route: 'doc', params: { id: 'automation' } },
    look: { code: 'en', theme: 'light' },
    width: breakpoints.md,
    height: 760,
  },
  {
    name: 'docs-dark',
    page: { route: 'doc', params: { id: 'proxies' } },
    look: { code: 'en', theme: 'dark' },
    width: breakpoints.md,
    height: 760,
  },
  {
    name: 'pricing',
    page: { route: 'pricing', params: {} },
    look: { code: 'en', theme: 'light' },
    width: breakpoints.md,
    height: 760,
  },
  {
    name: 'comparison',
    page: { route: 'alternative', params: { id: 'gologin' } },
    look: { code: 'en', theme: 'light' },
    width: breakpoints.md,
    height: 760,
  },
  {
    name: 'download',
    page: { route: 'download', params: {} },
    look: { code: 'en', theme: 'light' },
    width: breakpoints.md,
    height: 760,
  },
]
const smallLimit = 80 * 1024

async function takeSmall(browser: Browser, port: number): Promise<void> {
  const target = join(root, 'docs', 'images')
  mkdirSync(target, { recursive: true })
  for (const { name, page, look, width, height } of small) {
    const context = await contextFor(browser, look, width, height)
    const tab = await show(context, port, { page, look })
    const path = join(target, `${name}.png`)
    // A palette: what the pictures show has few colours, and a repository keeps every version of them.
    await sharp(await tab.screenshot())
      .png({ palette: true, effort: 10 })
      .toFile(path)
    await context.close()
    const { size } = statSync(path)
    console.log(`${name}.png ${Math.round(size / 1024)} KB`)
    if (size > smallLimit) throw new Error(`${name}.png is larger than ${smallLimit / 1024} KB`)
  }
}

async function main(): Promise<void> {
  process.env['BUILD_FOLDER'] ??= build(root)
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no browser: install Chromium and name it in CHROMIUM_PATH')
  const site = await startTestSite()
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  try {
    await (process.argv.includes('--small')
      ? takeSmall(browser, site.port)
      : takeAll(browser, site.port))
  } finally {
    await browser.close()
    await site.stop()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
