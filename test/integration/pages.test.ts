import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { HtmlValidate } from 'html-validate'
import { allLocales, locales, type LocaleCode } from '../../shared/i18n/locales'
import { redirectFor, type Page } from '../../shared/routes/availability'
import { href } from '../../shared/routes/href'
import { routeOf } from '../../shared/routes/table'
import { contentPages, localesOfFile, plainPages } from '../../testing/pages'
import { hostNames, startTestSite, type Answer, type TestSite } from '../../testing/site'

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    'valid-id': ['error', { relaxed: true }],
    'doctype-style': ['error', { style: 'lowercase' }],
  },
})

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
}, 60_000)
afterAll(() => site.stop())

const ask = (page: Page, code: LocaleCode, headers: Record<string, string> = {}): Promise<Answer> =>
  site.get(href(code, page.route, page.params), { host: hostNames[locales[code].domain], headers })
const first = (pattern: RegExp, html: string): string => pattern.exec(html)?.[1] ?? ''

/** The expected status of a page in a language, from the availability table and the content folder. */
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
