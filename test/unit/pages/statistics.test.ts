import { describe, expect, it } from '@jest/globals'
import { inlineScript, readStatistics } from '../../../server/pages/site-info/statistics'

const origins = {
  img: ['https://a.test', 'https://*.b.test', 'https://c.test:8443', 'https://d.test/p/'],
  frame: ['https://f.test/only.html'],
}
const read = (statistical_body: string) =>
  readStatistics({ statistical_title: '', statistical_body }, origins)
const img = (src: string): string => `<img src="${src}" alt="" width="1" height="1" hidden>`

describe('pixels of the statistics snippets', () => {
  it.each([
    ['a listed origin', 'https://a.test/x.gif', true],
    ['another origin', 'https://a.test.evil.test/x.gif', false],
    ['another port', 'https://a.test:8443/x.gif', false],
    ['a host below a wildcard', 'https://x.b.test/x.gif', true],
    ['the host of a wildcard itself', 'https://b.test/x.gif', false],
    ['a listed port', 'https://c.test:8443/x.gif', true],
    ['a path below a listed one', 'https://d.test/p/x.gif', true],
    ['another path', 'https://d.test/q/x.gif', false],
    ['http', 'http://a.test/x.gif', false],
    ['no scheme', '//a.test/x.gif', true],
    ['a path of this site', '/x.gif', false],
    ['script in an address', 'javascript:alert(1)', false],
    ['data', 'data:image/gif;base64,R0lGOD', false],
  ])('with %s are kept or left out as the policy says', (_name, src, isKept) => {
    for (const html of [`<img src="${src}">`, `<noscript><IMG SRC='${src}'></noscript>`]) {
      const { noscript, leftOut } = read(html)
      const url = src.startsWith('//') ? `https:${src}` : src
      expect([noscript, leftOut.length]).toEqual(
        isKept ? [`<noscript>${img(url)}</noscript>`, 0] : ['', 1],
      )
    }
  })

  it('keep frames in noscript alone, from origins listed for frames', () => {
    const frame = '<iframe src="https://f.test/only.html"></iframe>'
    expect(read(`<noscript>${frame}</noscript>`).noscript).toContain('https://f.test/only.html')
    expect(read(frame).leftOut).toEqual(['<iframe> of https://f.test: not in <noscript>'])
    expect(read('<noscript><iframe src="https://a.test/"></iframe></noscript>').leftOut).toEqual([
      '<iframe> of https://a.test: not listed under csp.frame',
    ])
  })
})

describe('nothing of a snippet becomes markup that was not recognized', () => {
  it.each([
    ['a broken attribute', `<img src="https://a.test/x.gif" alt="><script>alert(1)</script>">`],
    ['a quote in an address', `<img src='https://a.test/"><script>alert(1)</script>'>`],
    ['a quote in a verification tag', `<meta name="verify" content='"><script>alert(1)</script>'>`],
    ['a quote in its name', `<meta name='verify"><script>alert(1)</script>' content="x">`],
    [
      'the end of noscript',
      `<noscript><img src="https://a.test/</noscript><script>alert(1)"></noscript>`,
    ],
    ['an unclosed tag', '<img src="https://a.test/x.gif"><script>alert(1)'],
    ['handlers', `<img src="https://a.test/x.gif" onerror="alert(1)" srcset="https://e.test/">`],
    ['a base', '<base href="https://evil.test/"><link rel=stylesheet href="https://evil.test/">'],
    ['a body', '<body onload=alert(1)><svg onload=alert(1)><form action=https://evil.test/>'],
  ])('%s', (_name, html) => {
    const { head, noscript } = read(html)
    const rest = (head + noscript)
      .replace(/<meta (?:name|property)="[^"<>]*" content="[^"<>]*">/g, '')
      .replace(/<img src="https:\/\/a\.test\/[^"<>]*" alt="" width="1" height="1" hidden>/g, '')
      .replace(/^<noscript>|<\/noscript>$/g, '')
    expect(rest).toBe('')
  })

  it('a large broken snippet is read at once', () => {
    const before = process.cpuUsage()
    for (const text of ['<a', '<!--', '<script ', '<noscript>', '<img "', "<meta '"])
      read(text.repeat(20_000 / text.length))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })
})

describe('verification tags', () => {
  it.each([
    'google-site-verification',
    'msvalidate.01',
    'yandex-verification',
    'baidu-site-verification',
    '360-site-verification',
    'naver-site-verification',
    'facebook-domain-verification',
    'p:domain_verify',
    'seznam-wmt',
  ])('%s is kept', (name) => {
    expect(read(`<meta content=abc name=${name}>`)).toMatchObject({
      head: `<meta name="${name}" content="abc">`,
      leftOut: [],
    })
  })

  it.each(['viewport', 'referrer', 'robots', 'color-scheme', 'description', 'theme-color'])(
    '%s is left out, because the page has its own',
    (name) => {
      expect(read(`<meta name="${name}" content="x">`)).toMatchObject({
        head: '',
        leftOut: [`<meta name="${name}">: not a verification tag`],
      })
    },
  )
})

describe('an inline script', () => {
  const text = 'measure(1)'
  const hash = read(`<script>${text}</script>`).scripts.body[0]?.match(/([^/]+)\.js$/)?.[1] ?? ''
  const inBody = { statistical_title: '', statistical_body: `<script>${text}</script>` }

  it('is found by its hash in either snippet, and no other is', () => {
    expect(inlineScript(inBody, hash)).toBe(text)
    expect(inlineScript({ ...inBody, statistical_title: '<script>x()</script>' }, hash)).toBe(text)
    expect(inlineScript(inBody, 'another')).toBeNull()
  })
})
