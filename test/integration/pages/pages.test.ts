import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { HtmlValidate, StaticConfigLoader, type ResolvedConfig } from 'html-validate'
import { allLocales, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { redirectFor, switchLocale, type Page } from '../../../shared/routes/availability'
import { href } from '../../../shared/routes/href'
import { routeOf } from '../../../shared/routes/table'
import { menuPages } from '../../../shared/menu-pages'
import { trackingAreas } from '../../../shared/tracking-keys'
import { pageElements } from '../../../testing/page-elements'
import { root } from '../../../testing/root'
import { contentPages, localesOfFile, plainPages } from '../../../testing/pages'
import { temporaryFolder } from '../../../testing/release-with-tests'
import { hostNames, startTestSite, type Answer, type TestSite } from '../../../testing/site'
import { languageSwitches } from '../../cases/language-switches'

/** Prepares the rules once. The package does so for each page, which takes 40 ms. */
class PreparedRules extends StaticConfigLoader {
  private prepared: ResolvedConfig | Promise<ResolvedConfig> | undefined
  override getConfigFor(file: string): ResolvedConfig | Promise<ResolvedConfig> {
    this.prepared ??= super.getConfigFor(file)
    return this.prepared
  }
}
const validator = new HtmlValidate(
  new PreparedRules({
    extends: ['html-validate:standard'],
    rules: {
      'valid-id': ['error', { relaxed: true }],
      'doctype-style': ['error', { style: 'lowercase' }],
    },
  }),
)

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
/** What the comparison with Multilogin says about it; the last statement is too old to be shown. */
const statements = [
  ['Address of the API', 'Ports < 40000', 'https://multilogin.example/api?a=1&b=2', day(170)],
  ['Windows', '64-bit only', 'https://multilogin.example/systems', day(190)],
] as const
const content = temporaryFolder('content')

let site: TestSite
beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  const file = join(content, 'alternatives/multilogin/en.md')
  let source = readFileSync(file, 'utf8')
  for (const [feature, text, url, checked] of statements)
    source = source.replace(
      `  - feature: "${feature}"\n`,
      (line) => `${line}    theirs: { text: "${text}", source: "${url}", checked: ${checked} }\n`,
    )
  writeFileSync(file, source)
  site = await startTestSite({ CONTENT_DIR: content })
}, 90_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const trackKeys = new Set([
  ...keysReportedAs('click'),
  ...(['header', 'footer'] as const).flatMap((place) =>
    menuPages[place].map((name) => `${place}-${name}`),
  ),
])
const exposeKeys = new Set(keysReportedAs('expose'))
/** Keys of the list that are reported on a click or when the element is seen. */
function keysReportedAs(reported: 'click' | 'expose'): string[] {
  return Object.values(trackingAreas).flatMap(({ keys }) =>
    Object.entries(keys)
      .filter(([, key]) => key.reported === reported || key.reported === 'both')
      .map(([name]) => name),
  )
}
/**
 * Links and buttons of the interface whose key is missing or unknown, and unknown keys of
 * exposures.
 */
const faultyKeys = (html: string): string[] =>
  pageElements(html).flatMap(({ tag, attributes, inProse }) => {
    const isActive = ('href' in attributes && tag === 'a') || ['button', 'summary'].includes(tag)
    const { 'data-track': track, 'data-expose': expose } = attributes
    const fits =
      (track === undefined ? !isActive || inProse : trackKeys.has(track)) &&
      (expose === undefined || exposeKeys.has(expose))
    return fits ? [] : [`<${tag} ${JSON.stringify(attributes)}>`]
  })

const ask = (page: Page, code: LocaleCode, headers: Record<string, string> = {}): Promise<Answer> =>
  site.get(href(code, page.route, page.params), { host: hostNames[locales[code].domain], headers })
const first = (pattern: RegExp, html: string): string => pattern.exec(html)?.[1] ?? ''

/**
 * The expected status of a page in a language, from the availability table and the content folder.
 */
function expected({ route, params }: Page, code: LocaleCode): number {
  const instead = redirectFor({ route, params }, code)
  if (instead) return instead.status
  if (route === 'docs') return 302
  if (route === 'case') return 301
  const { load } = routeOf(route)
  if (load.kind === 'error') return load.status
  const inChain = (files: string[]): number =>
    locales[code].fallback.some((source) => files.includes(source)) ? 200 : 404
  if (load.kind === 'landing' || load.kind === 'article')
    return inChain(localesOfFile(load.collection, params['id'] ?? ''))
  return 200
}

describe.each(allLocales.map((locale) => [locale.code, locale] as const))(
  'pages in %s',
  (code, locale) => {
    const titles = new Map<string, string>()
    const descriptions = new Map<string, string>()

    it.each(
      [...plainPages, ...contentPages].map(
        (page) => [href(code, page.route, page.params), page] as const,
      ),
    )('%s', async (path, page) => {
      const answer = await ask(page, code)
      expect(answer.status).toBe(expected(page, code))
      if (answer.status >= 300 && answer.status < 400) return
      const { body } = answer
      expect(body).toContain(`<html lang="${locale.language}" data-page="${page.route}"`)
      expect(answer.headers['content-language']).toBe(locale.language)
      expect(body.match(/<h1[\s>]/g)?.length).toBe(1)
      expect(body.trimEnd().endsWith('</html>')).toBe(true)
      expect(faultyKeys(body)).toEqual([])
      if (answer.status !== 200) return
      // Renamed industries redirect to one page; all others have different titles and descriptions.
      const title = first(/<title>([^<]+)<\/title>/, body)
      const description = first(/<meta name="description" content="([^"]+)">/, body)
      expect(title.length).toBeGreaterThan(3)
      expect(description.length).toBeGreaterThan(20)
      expect({ path, sameTitle: titles.get(title) }).toEqual({ path, sameTitle: undefined })
      expect({ path, sameDescription: descriptions.get(description) }).toEqual({
        path,
        sameDescription: undefined,
      })
      titles.set(title, path)
      descriptions.set(description, path)
    })

    it('are valid HTML', async () => {
      const entries = contentPages.filter(
        (page, index) => contentPages.findIndex((other) => other.route === page.route) === index,
      )
      for (const page of [...plainPages, ...entries]) {
        const answer = await ask(page, code)
        if (answer.status >= 300 && answer.status < 400) continue
        const report = await validator.validateString(answer.body)
        expect({
          page,
          messages: report.results.flatMap((result) =>
            result.messages.map(
              (message) =>
                `${message.line}:${message.column} ${message.ruleId}: ${message.message}`,
            ),
          ),
        }).toEqual({ page, messages: [] })
      }
    }, 120_000)
  },
)

describe('what is reported when it is seen', () => {
  const calls = ['call-register', 'call-download']
  const landing = ['hero-register', 'hero-pricing', 'picture-landing', 'faq-list', ...calls]
  it.each([
    ['/', ['hero-register', 'hero-download', 'cards-features', 'cards-solutions', ...calls]],
    ['/', ['picture-profiles', 'picture-profile', 'picture-sync', 'picture-flow', 'picture-api']],
    ['/', ['cards-industries', 'faq-list', 'cards-posts']],
    ['/pricing', ['plan-free', 'plan-solo', 'plan-team', 'plan-business']],
    ['/pricing', ['plan-table', 'faq-list']],
    ['/download', ['download-detected', 'download-file']],
    ['/alternatives/gologin', ['comparison-table', ...landing]],
    ['/solutions/e-commerce', ['cards-related', 'section-table', ...landing]],
    ['/solutions', ['cards-solutions', ...calls]],
    ['/blog', ['cards-articles']],
    ['/blog/choosing-a-proxy-type', ['cards-related']],
    ['/helps', ['cards-sections']],
    ['/release', ['hero-download', 'cards-releases']],
    ['/partner', ['cards-partners', 'section-partner-plan']],
    ['/faq', ['faq-list', 'section-helps']],
  ])('on %s: %s', async (path, keys) => {
    const { body } = await site.get(path)
    const exposed = pageElements(body).flatMap(({ attributes }) => attributes['data-expose'] ?? [])
    expect(exposed).toEqual(expect.arrayContaining(keys))
  })
})

describe('a comparison without a statement about the other product', () => {
  it('is about this product, and promises no facts about the other', async () => {
    const { body } = await site.get('/alternatives/gologin')
    expect(body).not.toContain('data-column="GoLogin"')
    expect(body).toContain('What Polyfacet offers')
    expect(body).not.toMatch(/<p[^>]*>[^<]*public pages, on the date shown/)
  })
})

describe('a comparison with statements about the other product', () => {
  const [[feature, , , checked]] = statements
  const link =
    '<a data-track="comparison-source" href="https://multilogin.example/api?a=1&amp;b=2" rel="nofollow noopener">'

  it('has a column for it in the rows of current statements, with source and day', async () => {
    const { body } = await site.get('/alternatives/multilogin')
    const [compared = '', others = '', ...more] = Array.from(
      body.matchAll(/<table[^>]*data-expose="comparison-table".*?<\/table>/gs),
      ([table]) => table,
    )
    expect(more).toEqual([])
    expect(compared.match(/<th scope="col">[^<]*/g)?.map((cell) => cell.slice(16))).toEqual([
      'Feature',
      'Polyfacet',
      'Multilogin',
    ])
    expect(compared.match(/<th scope="row"[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(`>${feature}$`),
    ])
    expect(compared).toContain(`<td data-column="Multilogin"><span>Ports &lt; 40000</span>`)
    expect(compared).toContain(link)
    expect(compared).toContain(`<time dateTime="${checked}">`)
    expect(others).not.toMatch(/Multilogin|64-bit only/)
    expect(others).toContain('>Windows</th>')
    expect(body).toMatch(/<p[^>]*>[^<]*public pages, on the date shown/)
  })

  it('has them in its Markdown', async () => {
    const { body } = await site.get('/alternatives/multilogin.md')
    expect(body).not.toContain('64-bit only')
    expect(body).toContain(
      `- **${feature}**: http://127.0.0.1:35000, bearer token / Multilogin: Ports < 40000 (https://multilogin.example/api?a=1&b=2, ${checked})\n`,
    )
  })
})

describe('the language menu, which works without scripts,', () => {
  it.each(languageSwitches)('of %j in %s opens the same page in %s', async (page, from, to) => {
    const target = switchLocale(page, to)
    if (!target) throw new Error('the table names pages that exist in both languages')
    const { language, domain } = locales[to]
    const path = href(to, target.route, target.params)
    const links = pageElements((await ask(page, from)).body).filter(
      ({ tag, attributes }) => tag === 'a' && attributes['hreflang'] === language,
    )
    const [{ attributes } = { attributes: {} as Record<string, string> }] = links
    expect(
      new URL(attributes['href'] ?? '', `http://${hostNames[locales[from].domain]}:${site.port}/`)
        .href,
    ).toBe(`http://${hostNames[domain]}:${site.port}${path}`)
    const { status, body } = await ask(target, to)
    expect([
      status,
      first(/<html lang="([^"]+)"/, body),
      first(/data-page="([^"]+)"/, body),
    ]).toEqual([200, language, target.route])
  })
})
