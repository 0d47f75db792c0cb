/** Content and operations for pictures and checks of every view of the console. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Database } from '../server/db/database'
import { storeTranslationSources } from '../server/db/translation-sources'
import { contentWith } from './content-copy'

const oldVersion = '2026-11-01'
const sharingText = (date: string, body: string): string =>
  `---\ntitle: "Share a profile with a teammate"\ncategory: operations\ndescription: "How a team works in one profile."\ndate: ${date}\n---\n\n${body}\n`

/** The English text of the article when it was translated. */
export const storeConsoleSources = (database: Database): Promise<void> =>
  storeTranslationSources(database, [
    {
      path: 'content/blog/sharing-profiles/en.md',
      unit: '',
      version: oldVersion,
      text: sharingText(
        oldVersion,
        'Open the profile, choose Share, and enter the e-mail address of your teammate.',
      ),
    },
  ])

/** Content with redirects, an outdated translation, and a mistake. */
export function writeConsoleContent(): string {
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
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(content, path)), { recursive: true })
    writeFileSync(join(content, path), text)
  }
  write(
    'blog/broken-front-matter/en.md',
    '---\ntitle: ""\ncategory: no-such-category\n---\n\nText.\n',
  )
  write(
    'blog/sharing-profiles/en.md',
    sharingText(
      '2026-11-20',
      'Choose Share, and enter the address of your teammate. They can open the profile at once.',
    ),
  )
  write(
    'blog/sharing-profiles/zh.md',
    sharingText(oldVersion, '打开配置文件，选择“共享”，然后输入队友的邮箱地址。'),
  )
  return content
}

/** Shows what a view answers to an operator, beyond what it shows first. */
export const consoleInteractions: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async addresses(page) {
    await page.getByRole('button', { name: 'Propose' }).first().click()
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await page.getByLabel('Address', { exact: true }).fill('http://localhost//ES//Pricing.HTML')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('repeated slashes').waitFor()
  },
  async privacy(page) {
    await page.getByLabel('Device id or email address').fill('visitor1@example.org')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText(/found\.$/).waitFor()
  },
  async system(page) {
    await page.getByRole('button', { name: 'Run the checks' }).click()
    await page.locator('pre').waitFor()
  },
}

/** Waits until a view has read all that it shows. */
export async function untilViewIsRead(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.body.innerText.includes('Loading…'))
  await page.waitForLoadState('networkidle')
}

/** Opens the dialog of a view. */
export const consoleDialogs: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async pages(page) {
    await page.getByRole('button', { name: 'routes/home' }).first().click()
    await page.getByText('Sharing picture').waitFor()
  },
  async translations(page) {
    const row = page.getByRole('row').filter({ hasText: 'sharing-profiles' })
    await row.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('insertion').first().waitFor()
  },
}

/**
 * Scrolls the page and its tables back to their start. An operation scrolls to its button, which
 * leaves other rows half below a table's headings.
 */
export const scrollToStart = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.scrollTo(0, 0)
    for (const element of document.querySelectorAll('main *')) element.scrollTo(0, 0)
  })
