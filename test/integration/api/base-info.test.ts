/**
 * Links of register and login from the backend: no page waits for them, and they appear once known.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startUpstream, type TestUpstream } from '../../../testing/upstream'
import { eventually, startTestSite, type TestSite } from '../../../testing/site'

let upstream: TestUpstream
let site: TestSite
let releaseResponses: () => void = () => undefined
const released = new Promise<void>((resolve) => (releaseResponses = resolve))
const failedOnce = new Set<string>()
beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    const lang = new URL(request.url ?? '/', 'http://upstream').searchParams.get('lang') ?? ''
    // The first attempt is answered with 503, which is repeated.
    if (!failedOnce.has(lang)) {
      failedOnce.add(lang)
      return void response.writeHead(503).end()
    }
    void released.then(() =>
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

it('a page is served before the backend responds, and changes once it has responded', async () => {
  const before = await site.get('/es')
  expect(before.status).toBe(200)
  expect(before.body.includes('href="/app/register?rel=official_website&amp;lang=es-ES"')).toBe(
    true,
  )
  releaseResponses()
  await eventually(async () => {
    const { body } = await site.get('/es')
    expect(
      body.includes(
        'href="https://app.example.com/join?l=es-ES&amp;rel=official_website&amp;lang=es-ES"',
      ),
    ).toBe(true)
    expect(/<title>([^<]*)<\/title>/.exec(body)?.[1]).toBe('Theirs es-ES')
    expect(body.includes('href="/app/login?rel=official_website&amp;lang=es-ES"')).toBe(true)
  })
  expect(
    upstream.requests.filter(({ url }) => url === '/backend/home/base-info?lang=es-ES&type=home')
      .length,
  ).toBeGreaterThanOrEqual(2)
})
