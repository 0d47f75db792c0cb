import { basename } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { localeCodes, locales } from '../../../shared/i18n/locales'
import type { PagePayload } from '../../../shared/payload'
import { href } from '../../../shared/routes/href'
import { shellOf } from '../../../shared/routes/table'
import type { BodyView } from '../../../shared/view'
import { buildFolder } from '../../../testing/root'
import { hostNames, startTestSite, type TestSite } from '../../../testing/site'
import { templatePagesIn } from '../../../testing/template-pages'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
}, 60_000)
afterAll(() => site.stop())

/** What the browser starts from: the JSON in the HTML, without the languages. */
type LightView = Omit<BodyView, 'languages'> & { offeredIn: string[] }
const viewIn = (html: string): LightView =>
  JSON.parse(
    /<script type="application\/json" id="view">([^<]*)<\/script>/.exec(html)?.[1] ?? '{}',
  ) as LightView

/** The languages as the browser reads them (`client/shell/read-languages.ts`). */
function menuLanguages(html: string, offeredIn: readonly string[]): unknown[] {
  const menu = html.split('data-shell="language-menu"')[1]?.split('</details>')[0] ?? ''
  return [...menu.matchAll(/ href="([^"]+)"[^>]* data-locale="(\w+)"/g)].map(
    ([, to, code = '']) => ({
      code,
      href: to,
      same: offeredIn.includes(code),
    }),
  )
}

it.each(localeCodes)(
  'the payload of each template holds what its HTML is rendered from, in %s',
  async (code) => {
    const host = hostNames[locales[code].domain]
    for (const page of templatePagesIn(code).filter(({ route }) => !route.startsWith('error-'))) {
      const path = href(code, page.route, page.params)
      const payloadPath = `${path === '/' ? '' : path}/_payload.json?${basename(buildFolder())}`
      const [html, answer] = await Promise.all([
        site.get(path, { host }),
        site.get(payloadPath, { host }),
      ])
      expect({ path, html: html.status, payload: answer.status }).toEqual({
        path,
        html: 200,
        payload: 200,
      })
      const view = viewIn(html.body)
      const payload = JSON.parse(answer.body) as PagePayload
      const light = JSON.parse(
        JSON.stringify(payload.data, (key, value: unknown) =>
          key === 'html' && typeof value === 'string' ? '' : value,
        ),
      ) as unknown
      expect({
        path: payload.path,
        locale: payload.locale,
        route: payload.route,
        params: payload.params,
        data: light,
        languages: payload.languages,
      }).toEqual({
        path: view.path,
        locale: view.locale,
        route: view.route,
        params: view.params,
        data: view.data,
        // A page without the language menu needs none.
        languages:
          shellOf(page.route) === 'full'
            ? menuLanguages(html.body, view.offeredIn)
            : payload.languages,
      })
      const { navigation, shell } = view.texts
      expect({ ...payload.texts, navigation, shell }).toEqual(view.texts)
      const { canonical, alternates } = payload.seo
      for (const { hreflang, href: to } of alternates)
        expect(html.body).toContain(`<link rel="alternate" hreflang="${hreflang}" href="${to}">`)
      if (canonical) expect(html.body).toContain(`<link rel="canonical" href="${canonical}">`)
      for (const tag of payload.head.match(/<(?:title|meta|link)[^>]*>/g) ?? [])
        expect(html.body).toContain(tag)
      // The payload has exactly the islands of the page, in any order.
      expect(payload.islands).toHaveLength(html.body.match(/data-island="/g)?.length ?? 0)
      for (const island of payload.islands) expect(html.body).toContain(island.html)
    }
  },
  120_000,
)
