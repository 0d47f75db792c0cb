/**
 * Screenshots of the console's views with a month of generated data, desktop and phone, light and
 * dark: `npm run shots -- console`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page as Tab } from 'playwright-core'
import { consoleViews, sessionsView } from '../client/console/views'
import { consolePaths } from '../shared/console/console-call'
import { operatorSession } from '../shared/console/sessions'
import { signInToConsole } from '../testing/console'
import {
  openTestDatabase,
  storeTestCounts,
  storeTestMessages,
  storeTestMonth,
  untilCounted,
} from '../testing/console-data'
import { contentWith } from '../testing/content-copy'
import { opsToken, startTestSite, temporaryFolder } from '../testing/site'

/** A picture of the contact sheet. */
export type ConsoleShot = { name: string; caption: string; file: string }

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes = ['light', 'dark'] as const
const visitsPerDay = 400

/** Content with redirects, an article to translate, and a mistake. */
function writeContent(): string {
  const content = contentWith({})
  writeFileSync(
    join(content, 'redirects.yaml'),
    [
      "- { from: '/old-pricing', to: '/pricing' }",
      "- { from: '/help-centre/*', to: '/helps/:splat' }",
      "- { from: '/partners-es', to: '/partner', locales: [es], status: 302 }",
      '',
    ].join('\n'),
  )
  for (const [id, front] of [
    ['sharing-profiles', 'title: "Share a profile with a teammate"\ncategory: operations'],
    ['broken-front-matter', 'title: ""\ncategory: no-such-category'],
  ]) {
    const folder = join(content, 'blog', String(id))
    mkdirSync(folder)
    const text = 'Open the profile, choose Share, and enter the address of your teammate.\n'
    const fields = `${front}\ndescription: "How a team works in one profile."\ndate: 2026-11-20`
    writeFileSync(join(folder, 'en.md'), `---\n${fields}\n---\n\n${text}`)
  }
  return content
}

/** Shows what a view answers to an operator, beyond what it shows first. */
const interactions: Readonly<Record<string, (tab: Tab) => Promise<void>>> = {
  async translations(tab) {
    await tab.getByRole('button', { name: 'Compare' }).first().click()
  },
  async addresses(tab) {
    await tab.getByRole('button', { name: 'Propose' }).first().click()
    await tab.getByLabel('Address', { exact: true }).fill('http://localhost//ES//Pricing.HTML')
    await tab.getByRole('button', { name: 'Explain' }).click()
  },
  async privacy(tab) {
    await tab.getByLabel('Device id or email address').fill('visitor1@example.org')
    await tab.getByRole('button', { name: 'Find' }).click()
  },
  async system(tab) {
    await tab.getByRole('button', { name: 'Run the checks' }).click()
    await tab.locator('pre').waitFor()
  },
}

/** The dialog of a page, over the table. */
async function openDetails(tab: Tab): Promise<void> {
  await tab.getByRole('button', { name: 'routes/home' }).first().click()
  await tab.getByText('Sharing picture').waitFor()
}

async function takeViews(context: BrowserContext, origin: string, folder: string, look: string) {
  const shots: ConsoleShot[] = []
  const take = async (tab: Tab, name: string, fullPage = true): Promise<void> => {
    await tab.waitForLoadState('networkidle')
    const file = `console-${name}-${look}.png`
    await tab.screenshot({ path: join(folder, file), fullPage })
    shots.push({ name: `console-${name}`, caption: look, file })
  }
  for (const { path } of [...consoleViews, sessionsView]) {
    const tab = await context.newPage()
    await tab.goto(`${origin}${consolePaths.page}/${path}`)
    await tab.waitForLoadState('networkidle')
    await interactions[path]?.(tab)
    await take(tab, path)
    if (path === 'pages') {
      await openDetails(tab)
      await take(tab, 'page-details', false)
    }
    await tab.close()
  }
  await context.clearCookies()
  const tab = await context.newPage()
  await tab.goto(`${origin}${consolePaths.page}`)
  await take(tab, 'sign-in')
  await tab.close()
  return shots
}

/** Takes all pictures into the folder. */
export async function takeConsoleShots(browser: Browser, folder: string): Promise<ConsoleShot[]> {
  const data = temporaryFolder('console-shots')
  const content = writeContent()
  const url = `file:${join(data, 'site.db')}`
  const database = openTestDatabase(url)
  await storeTestMonth(database, visitsPerDay)
  await storeTestCounts(database)
  await storeTestMessages(database)
  const site = await startTestSite({
    DATABASE_URL: url,
    CONTENT_DIR: content,
    OPS_TOKEN: opsToken,
    RATE_SIGNIN: '0',
  })
  try {
    await untilCounted(database, 300_000)
    const shots: ConsoleShot[] = []
    for (const [size, viewport] of Object.entries(sizes))
      for (const colorScheme of themes) {
        const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
        const cookie = await signInToConsole(site.port)
        const value = cookie.slice(`${operatorSession.name}=`.length)
        await context.addCookies([
          { name: operatorSession.name, value, domain: 'localhost', path: '/_ops' },
        ])
        const origin = `http://localhost:${site.port}`
        shots.push(...(await takeViews(context, origin, folder, `${size}-${colorScheme}`)))
        await context.close()
      }
    return shots
  } finally {
    await database.close()
    await site.stop()
    for (const made of [data, content]) rmSync(made, { recursive: true, force: true })
  }
}
