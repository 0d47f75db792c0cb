/**
 * `npm run shots`: takes screenshots of every template in the widths, languages and themes that the
 * design is checked in, and writes a contact sheet. `--small` instead writes the few images of
 * README and docs. `-- home pricing` takes only these routes, `--langs=en,th` and `--widths=360`
 * only these; `-- console` takes the views of the owner's console with generated data.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page as Tab } from 'playwright-core'
import sharp from 'sharp'
import { breakpoints } from '../shared/constants'
import { locales, type LocaleCode } from '../shared/i18n/locales'
import { redirectFor, type Page } from '../shared/routes/availability'
import { href } from '../shared/routes/href'
import { chromiumArguments } from '../testing/chromium-arguments'
import { root } from '../testing/root'
import { hostNames, startTestSite } from '../testing/site'
import { templatePages } from '../testing/template-pages'
import { findBrowser } from './browser.mjs'
import { takeConsoleShots } from './console-shots'
import { build } from './prepare.mjs'

type Look = { code: LocaleCode; theme: 'light' | 'dark' }
type Shot = { page: Page; look: Look; width: number }
/** One picture of the contact sheet; those with the same name are in one row. */
type Figure = { name: string; caption: string; file: string }
type DocImage = Shot & { name: string; height: number }

const phoneWidth = 360
const allWidths = [phoneWidth, breakpoints.mobile, breakpoints.md, breakpoints.xxl]
const light = (code: LocaleCode): Look => ({ code, theme: 'light' })
const darkEnglish: Look = { code: 'en', theme: 'dark' }
const allLooks: readonly Look[] = [...(['en', 'zh', 'th', 'ru'] as const).map(light), darkEnglish]
const outputFolder = join(root, 'test-results', 'shots')
const maxConcurrent = 3

const home: Page = { route: 'home', params: {} }
const article: Page = { route: 'blog-article', params: { id: 'choosing-a-proxy-type' } }
const automation: Page = { route: 'doc', params: { id: 'automation' } }
const proxies: Page = { route: 'doc', params: { id: 'proxies' } }
const pricing: Page = { route: 'pricing', params: {} }
const comparison: Page = { route: 'alternative', params: { id: 'gologin' } }
const download: Page = { route: 'download', params: {} }
const desktop = { width: breakpoints.md, height: 760 }
const shortDesktop = { width: breakpoints.md, height: 700 }
const phone = { width: phoneWidth, height: 740 }

/** The images of README and docs show the first screen of these pages. */
const docImages: readonly DocImage[] = [
  { name: 'home', page: home, look: light('en'), ...shortDesktop },
  { name: 'home-zh', page: home, look: light('zh'), ...shortDesktop },
  { name: 'home-th', page: home, look: light('th'), ...shortDesktop },
  { name: 'home-dark', page: home, look: darkEnglish, ...shortDesktop },
  { name: 'home-phone', page: home, look: light('en'), ...phone },
  { name: 'article', page: article, look: light('en'), ...desktop },
  { name: 'article-phone', page: article, look: light('zh'), ...phone },
  { name: 'docs', page: automation, look: light('en'), ...desktop },
  { name: 'docs-dark', page: proxies, look: darkEnglish, ...desktop },
  { name: 'pricing', page: pricing, look: light('en'), ...desktop },
  { name: 'comparison', page: comparison, look: light('en'), ...desktop },
  { name: 'download', page: download, look: light('en'), ...desktop },
]
const maxDocImageBytes = 80 * 1024

/** The values of an option such as `--langs=en,th`, or null. */
const readOption = (name: string): string[] | null =>
  process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.split('=')[1]
    ?.split(',') ?? null
const lookName = ({ code, theme }: Look): string => (theme === 'dark' ? `${code}-dark` : code)
const captionOf = ({ look, width }: Shot): string => `${lookName(look)}-${width}`
const templateName = ({ route, params }: Page): string =>
  [route, ...Object.values(params)].join('-')
const fileName = (shot: Shot): string => `${templateName(shot.page)}-${captionOf(shot)}.jpg`

/** A browser in the language and theme of a look. */
const openContext = (
  browser: Browser,
  { code, theme }: Look,
  width: number,
  height = width <= phoneWidth ? 740 : 900,
): Promise<BrowserContext> =>
  browser.newContext({
    locale: locales[code].language,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  })

/**
 * The 502 page navigates away after some seconds, on a busy machine before its screenshot is taken.
 * Only the first navigation is allowed.
 */
async function blockFurtherNavigation(tab: Tab): Promise<void> {
  let hasNavigated = false
  await tab.route('**/*', (route) => {
    if (!route.request().isNavigationRequest()) return route.continue()
    if (hasNavigated) return route.abort()
    hasNavigated = true
    return route.continue()
  })
}

/** Opens a page and waits until it is hydrated. */
async function openPage(
  context: BrowserContext,
  port: number,
  { page, look }: Pick<Shot, 'page' | 'look'>,
): Promise<Tab> {
  const tab = await context.newPage()
  if (page.route === 'error-502') await blockFurtherNavigation(tab)
  const host = hostNames[locales[look.code].domain]
  await tab.goto(`http://${host}:${port}${href(look.code, page.route, page.params)}`)
  await tab.waitForSelector('html[data-hydrated]')
  return tab
}

/** Loads the images below the first screen, which otherwise load only when the page is scrolled. */
const loadLazyImages = (tab: Tab): Promise<void> =>
  tab.evaluate(async () => {
    const images = [...document.querySelectorAll<HTMLImageElement>('img[loading="lazy"]')]
    for (const image of images) image.loading = 'eager'
    await Promise.all(images.map((image) => image.decode().catch(() => undefined)))
  })

/** The shots that the command line selects, grouped by look and width. */
function selectShots(): Shot[][] {
  const routes = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
  const langs = readOption('langs')
  const widths = readOption('widths')?.map(Number) ?? allWidths
  const looks = allLooks.filter((look) => langs?.includes(lookName(look)) ?? true)
  const pages = templatePages.filter(({ route }) => routes.length === 0 || routes.includes(route))
  return looks.flatMap((look) =>
    widths.map((width) =>
      pages
        .filter((page) => !redirectFor(page, look.code))
        .map((page): Shot => ({ page, look, width })),
    ),
  )
}

/** Takes a group of shots in one context, which loads scripts and styles only once. */
async function takeGroup(browser: Browser, port: number, group: readonly Shot[]): Promise<void> {
  const [first] = group
  if (!first) return
  const context = await openContext(browser, first.look, first.width)
  for (const shot of group) {
    const tab = await openPage(context, port, shot)
    await loadLazyImages(tab)
    const path = join(outputFolder, fileName(shot))
    await tab.screenshot({ path, type: 'jpeg', quality: 72, fullPage: true })
    await tab.close()
  }
  await context.close()
}

async function takeAll(browser: Browser, port: number): Promise<Figure[]> {
  const groups = selectShots()
  const shots = groups.flat()
  const takeNext = async (): Promise<void> => {
    for (let group = groups.shift(); group; group = groups.shift())
      await takeGroup(browser, port, group)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, takeNext))
  return shots.map((shot) => ({
    name: templateName(shot.page),
    caption: captionOf(shot),
    file: fileName(shot),
  }))
}

/** Takes screenshots into an empty folder, with a contact sheet. */
async function takeIntoFolder(take: () => Promise<Figure[]>): Promise<void> {
  rmSync(outputFolder, { recursive: true, force: true })
  mkdirSync(outputFolder, { recursive: true })
  const figures = await take()
  writeFileSync(join(outputFolder, 'index.html'), contactSheet(figures))
  console.log(`${figures.length} screenshots: ${join(outputFolder, 'index.html')}`)
}

/** An HTML page with all screenshots, one row per template. */
function contactSheet(figures: readonly Figure[]): string {
  const rows = [...new Set(figures.map(({ name }) => name))].map((template) => {
    const cells = figures
      .filter(({ name }) => name === template)
      .map(
        ({ file, caption }) =>
          `<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${caption}</figcaption></figure>`,
      )
    return `<h2 id="${template}">${template}</h2><div>${cells.join('')}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>body{font:14px system-ui;margin:16px}div{display:flex;gap:12px;overflow-x:auto}figure{margin:0;flex:none}img{height:420px;width:auto;border:1px solid #ccc}h2{margin:24px 0 8px}</style>${rows.join('\n')}\n`
}

async function takeDocImages(browser: Browser, port: number): Promise<void> {
  const folder = join(root, 'docs', 'images')
  mkdirSync(folder, { recursive: true })
  for (const { name, page, look, width, height } of docImages) {
    const context = await openContext(browser, look, width, height)
    const tab = await openPage(context, port, { page, look })
    const path = join(folder, `${name}.png`)
    // A palette makes the files smaller: pages have few colors, and Git keeps every version.
    await sharp(await tab.screenshot())
      .png({ palette: true, effort: 10 })
      .toFile(path)
    await context.close()
    const { size } = statSync(path)
    console.log(`${name}.png ${Math.round(size / 1024)} KB`)
    if (size > maxDocImageBytes)
      throw new Error(`${name}.png is larger than ${maxDocImageBytes / 1024} KB`)
  }
}

async function takeOfSite(browser: Browser): Promise<void> {
  const site = await startTestSite()
  try {
    await (process.argv.includes('--small')
      ? takeDocImages(browser, site.port)
      : takeIntoFolder(() => takeAll(browser, site.port)))
  } finally {
    await site.stop()
  }
}

async function main(): Promise<void> {
  process.env['BUILD_FOLDER'] ??= build(root)
  const executablePath = findBrowser()
  if (!executablePath)
    throw new Error('no browser: install Chromium and set CHROMIUM_PATH to its path')
  const browser = await chromium.launch({
    executablePath,
    args: [...chromiumArguments],
  })
  try {
    if (process.argv.includes('console'))
      await takeIntoFolder(() => takeConsoleShots(browser, outputFolder))
    else await takeOfSite(browser)
  } finally {
    await browser.close()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
