/** Links of register and login from the operator's backend: never waited for, shown as soon as they are known. */
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startUpstream, type TestUpstream } from '../../testing/upstream'
import { eventually, startTestSite, type TestSite } from '../../testing/site'

let upstream: TestUpstream
let site: TestSite
let release: () => void = () => undefined
const held = new Promise<void>((resolve) => (release = resolve))
const failedOnce = new Set<string>()
beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    const lang = new URL(request.url ?? '/', 'http://upstream').searchParams.get('lang') ?? ''
    // The first try is answered 503: it is repeated, as spec section 7 says.
    if (!failedOnce.has(lang)) {
      failedOnce.add(lang)
      return void response.writeHead(503).end()
    }
    void held.then(() =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          code: 0,
          msg: 'ok',
          data: {
            register_url: `https://app.example.com/join?l=${lang}`,
            login_url: '',
            title: `Theirs ${lang}`,
            keywords: '',
            description: '',
            statistical_body: '',
            statistical_title: '',
          },
        }),
      ),
    )
  })
  site = await startTestSite({ API_UPSTREAM: `${upstream.origin}/backend` })
}, 60_000)
afterAll(async () => {
  await site.stop()
  await upstream.stop()
})

it('a page is there before the backend has said anything, and is another one once it has', async () => {
  const before = await site.get('/es')
  expect(before.status).toBe(200)
  expect(before.body.includes('href="/app/register?rel=official_website&amp;lang=es-ES"')).toBe(
    true,
  )
  release()
  await eventually(async () => {
    const { body } = await site.get('/es')
    expect(
      body.includes(
        'href="https://app.example.com/join?l=es-ES&amp;rel=official_website&amp;lang=es-ES"',
      ),
    ).toBe(true)
    expect(/<title>([^<]*)<\/title>/.exec(body)?.[1]).toBe('Theirs es-ES')
    expect(body.includes('href="/app/login?rel=official_website&amp;lang=es-ES"')).toBe(true)
  }, 20_000)
  expect(
    upstream.heard.filter(({ url }) => url === '/backend/home/base-info?lang=es-ES&type=home')
      .length,
  ).toBeGreaterThanOrEqual(2)
}, 40_000)
