/** The operator's statistics snippets in the HTML of pages, in the log and in the doctor. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { contentWith } from '../../../testing/content-copy'
import { runDoctor } from '../../../testing/run-doctor'
import { startTestSite, type TestSite } from '../../../testing/site'

const statistics = {
  title: [
    '<meta name="google-site-verification" content="g-1&quot;2">',
    "<meta name='msvalidate.01' content='M1' />",
    '<meta property="p:domain_verify" content="p1">',
    '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
    '<meta name="verification" http-equiv="refresh" content="0;url=https://evil.test/">',
    '<meta name="robots" content="noindex">',
    '<script src="https://counter.stats.test/head.js"></script>',
    '<style>body{display:none}</style>',
  ].join('\n'),
  body: [
    '<!-- <meta name="commented-verification" content="no"> -->',
    '<noscript><img height="1" src="https://pixel.stats.test/n.gif?id=1&amp;ev=View" onerror="alert(1)">',
    '<img src="https://other.test/n.gif"><iframe src="https://frame.stats.test/ns.html?id=2"></iframe>',
    '<p>text</p></noscript>',
    '<img src="https://pixel.stats.test/b.gif">',
    '<img src="http://pixel.stats.test/plain.gif">',
    '<script>window.counted = "<img src=https://pixel.stats.test/in-script.gif>"</script>',
  ].join('\n'),
}
/** What is left out of the snippets above, as the log and the doctor name it. */
const leftOut = [
  '<meta http-equiv="refresh">: not a verification tag',
  '<meta name="verification" http-equiv="refresh">: not a verification tag',
  '<meta name="robots">: not a verification tag',
  '<style>',
  '<p>',
  'text',
  '<img> of http://pixel.stats.test: not https',
  '<img> of https://other.test: not listed under csp.img',
]

let content: string
let site: TestSite
let html: string
beforeAll(async () => {
  content = contentWith({
    statistics,
    csp: {
      connect: [],
      img: ['https://*.stats.test'],
      frame: ['https://frame.stats.test/'],
      style: [],
    },
  })
  site = await startTestSite({ CONTENT_DIR: content })
  html = (await site.get('/pricing')).body
}, 60_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const matches = (pattern: RegExp, text = html): string[] =>
  Array.from(text.matchAll(pattern), ([found]) => found)

describe('statistics snippets', () => {
  it('keep verification tags in the head, with nothing but name or property and content', () => {
    const [head = ''] = html.split('</head>')
    expect(matches(/<meta (?:name|property)="[^"]*(?:verif|validate)[^>]*>/g, head)).toEqual([
      '<meta name="google-site-verification" content="g-1&quot;2">',
      '<meta name="msvalidate.01" content="M1">',
      '<meta property="p:domain_verify" content="p1">',
    ])
    expect(matches(/http-equiv|noindex|evil\.test|commented-verification/g)).toEqual([])
  })

  it('keep pictures and frames that the policy allows, for visitors without scripts', async () => {
    const [body = ''] = html.split('</head>').slice(1)
    expect(matches(/<noscript>.*?<\/noscript>/gs, body).at(-1)).toBe(
      '<noscript>' +
        '<img src="https://pixel.stats.test/n.gif?id=1&amp;ev=View" alt="" width="1" height="1" hidden>' +
        '<iframe src="https://frame.stats.test/ns.html?id=2" title="" width="1" height="1" hidden></iframe>' +
        '<img src="https://pixel.stats.test/b.gif" alt="" width="1" height="1" hidden>' +
        '</noscript>',
    )
    const policy = String((await site.get('/pricing')).headers['content-security-policy'])
    expect(policy).toContain("img-src 'self' https://*.stats.test;")
    expect(policy).not.toContain('unsafe-inline')
  })

  it('give the browser the scripts, and the pictures that are not in noscript', async () => {
    const { data } = JSON.parse((await site.get('/api/site/visitor-settings?lang=en')).body) as {
      data: { statistics: unknown }
    }
    expect(data.statistics).toEqual({
      head: ['https://counter.stats.test/head.js'],
      body: [expect.stringMatching(/^\/_snippets\/[0-9a-f]{32}\.js$/)],
      pixels: ['https://pixel.stats.test/b.gif'],
    })
  })

  it('have an address for each inline script, which never changes', async () => {
    const script = 'window.counted = "<img src=https://pixel.stats.test/in-script.gif>"'
    const hash = createHash('sha256').update(script).digest('hex').slice(0, 32)
    const { status, headers, body } = await site.get(`/_snippets/${hash}.js`)
    expect([status, headers['cache-control'], body]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      script,
    ])
  })

  it('stand on every page: error pages, other languages, lists', async () => {
    for (const path of ['/no-such-page', '/es/faq', '/blog'])
      expect((await site.get(path)).body).toContain('content="g-1&quot;2"')
  })

  it('are named in the log, once for each part that is left out', () => {
    expect(
      site.logs
        .filter(({ msg }) => msg === 'a part of the statistics snippets is left out')
        .map(({ part }) => part),
    ).toEqual(leftOut)
  })

  it('are named by the doctor', async () => {
    const { notes, out } = await runDoctor({ CONTENT_DIR: content, DATA_DIR: site.dataDir })
    expect(notes.filter((note) => note.startsWith('statistics'))).toEqual(
      leftOut.map((part) => `statistics content/site.yaml: left out: ${part}`),
    )
    expect(out).toContain('-> ')
  })
})
