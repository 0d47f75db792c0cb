import { rmSync, writeFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { negotiationCases } from '../../cases/negotiation'
import {
  refusedTargets,
  tableCases,
  tableRows,
  urlCases,
  type UrlCase,
} from '../../cases/canonical-urls'
import { rawRequest } from '../../../testing/raw-request'
import { root } from '../../../testing/root'
import { temporaryFolder } from '../../../testing/release-with-tests'
import {
  eventually,
  hostNames,
  startTestSite,
  type Answer,
  type TestSite,
} from '../../../testing/site'

const content = temporaryFolder('urls')
let site: TestSite
const rows = (
  list: ReadonlyArray<{
    from: string
    to: string
    status: number
    locales: readonly string[] | null
  }>,
): string =>
  list
    .map(
      ({ from, to, status, locales }) =>
        `- { from: "${from}", to: "${to}", status: ${status}${locales ? `, locales: [${locales.join(', ')}]` : ''} }\n`,
    )
    .join('')

beforeAll(async () => {
  cpSync(join(root, 'content'), content, { recursive: true, preserveTimestamps: true })
  writeFileSync(join(content, 'redirects.yaml'), rows(tableRows))
  site = await startTestSite({
    CONTENT_DIR: content,
    ZH_HOSTS: 'cn.example',
    RU_HOSTS: 'ru.example',
  })
}, 60_000)
afterAll(async () => {
  await site.stop()
  rmSync(content, { recursive: true, force: true })
})

const origin = (name: keyof typeof hostNames): string => `http://${hostNames[name]}:${site.port}`
const short = (location = ''): string =>
  (Object.keys(hostNames) as Array<keyof typeof hostNames>).reduce(
    (text, name) =>
      text.startsWith(`${origin(name)}/`) ? `${name}:${text.slice(origin(name).length)}` : text,
    location,
  )
const targets = (cases: readonly UrlCase[]): UrlCase[] =>
  cases.filter(([, target]) => target.startsWith('/'))

/** Requests the target of a redirect. Null where it is outside of the site. */
async function follow(answer: Answer): Promise<Answer | null> {
  const location = new URL(String(answer.headers.location))
  const name = (Object.keys(hostNames) as Array<keyof typeof hostNames>).find(
    (key) => location.origin === origin(key),
  )
  return name ? site.get(location.pathname + location.search, { host: hostNames[name] }) : null
}

describe('over HTTP', () => {
  it.each(targets([...urlCases, ...tableCases]))(
    '%s host, %s ends within one hop',
    async (host, target, expected) => {
      const answer = await site.get(target, { host: hostNames[host] })
      if (answer.status >= 300 && answer.status < 400) {
        const [status, place] = expected.split(' ')
        // Unlike the unit test, the site has documents and a redirect table.
        if (status !== 'page')
          expect(`${answer.status} ${short(answer.headers.location)}`).toBe(
            expected.replace('first-doc', 'quick-start'),
          )
        else expect(place).toBeUndefined()
        expect(answer.headers['cache-control']).toBe(
          [301, 308].includes(answer.status) ? 'public, max-age=3600' : 'no-store',
        )
        expect(answer.body).toMatch(
          /^<!doctype html><title>Moved<\/title><a href="[^"<>]*">Moved<\/a>\n$/,
        )
        const end = await follow(answer)
        if (end) expect([200, 404]).toContain(end.status)
      } else if (/^4/.test(expected)) expect(String(answer.status)).toBe(expected)
      else expect([200, 404]).toContain(answer.status)
    },
  )

  it.each([
    ['absolute form', 'GET http://HOST/x/ HTTP/1.1', /^301 http:\/\/localhost:\d+\/x$/],
    ['absolute form of a page', 'GET http://HOST/pricing HTTP/1.1', /^200 $/],
    ['absolute form of another host', 'GET http://evil.example/x/ HTTP/1.1', /^400 $/],
    ['backslash', 'GET /\\evil.example/ HTTP/1.1', /^301 http:\/\/localhost:\d+\/evil\.example$/],
    [
      'two slashes and .html',
      'GET //evil.example.html HTTP/1.1',
      /^301 http:\/\/localhost:\d+\/evil\.example$/,
    ],
    ['encoded backslash', 'GET /%5cevil.example HTTP/1.1', /^404 $/],
    ['a host behind a language', 'GET /ru.evil.example/x HTTP/1.1', /^404 $/],
    ['a user behind a language', 'GET /ru@evil.example HTTP/1.1', /^404 $/],
    ['encoded line break', 'GET /a%0d%0aSet-Cookie:x/ HTTP/1.1', /^400 $/],
    [
      'a query that looks like a host',
      'GET /pricing/?//evil.example HTTP/1.1',
      /^301 http:\/\/localhost:\d+\/pricing\?\/\/evil\.example$/,
    ],
    ['asterisk', 'GET * HTTP/1.1', /^(?:400|404) $/],
    ['OPTIONS', 'OPTIONS * HTTP/1.1', /^405 $/],
    ['a fragment', 'GET /pricing#//evil.example HTTP/1.1', /^200 $/],
  ])('%s in the request line', async (_name, line, expected) => {
    const host = `localhost:${site.port}`
    const text = await rawRequest(
      site.port,
      `${line.replace('HOST', host)}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    )
    const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
    const [, location = ''] = /^Location: (.*)\r$/im.exec(text) ?? []
    expect(`${status} ${location}`).toMatch(expected)
    expect(text).not.toMatch(/^set-cookie/im)
  })

  it('refuses two hosts, and serves HTTP/1.0 without one as English', async () => {
    expect(
      await rawRequest(
        site.port,
        'GET /pricing/ HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400/)
    const old = await rawRequest(site.port, 'GET /pricing/ HTTP/1.0\r\n\r\n')
    expect(old).toMatch(/^Location: http:\/\/localhost:\d+\/pricing\r$/im)
  })

  it('never echoes a host', async () => {
    const answer = await site.get('/pricing/', { host: 'evil.example' })
    expect(answer.headers.location).toBe(`${origin('en')}/pricing`)
    expect((await site.get('/pricing', { host: 'evil.example' })).body).not.toContain(
      'evil.example',
    )
  })

  it('serves further hosts without a redirect, with a canonical link to the main host', async () => {
    const chinese = await site.get('/pricing', { host: 'cn.example' })
    expect([chinese.status, chinese.headers['content-language']]).toEqual([200, 'zh-CN'])
    expect(chinese.body).toContain(`<link rel="canonical" href="${origin('zh')}/pricing">`)
    expect((await site.get('/pricing', { host: 'ru.example' })).headers['content-language']).toBe(
      'ru-RU',
    )
  })
})

describe('negotiation of the language on entry', () => {
  it.each(negotiationCases.map((row) => [row.name, row] as const))(
    '%s',
    async (_name, { headers, path = '/', method = 'GET', expected }) => {
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value.replace('ORIGIN_ZH', origin('zh')),
        ]),
      )
      const answer = await site.get(path, { method, headers: sent })
      if (expected === 'stay') {
        expect([200, 404]).toContain(answer.status)
        expect(answer.headers['set-cookie']).toBeUndefined()
        return
      }
      expect(`${answer.status} ${short(answer.headers.location)}`).toBe(`302 ${expected}`)
      expect(answer.headers['cache-control']).toBe('private, no-store')
      expect(answer.headers.vary).toMatch(/Accept-Language, Cookie/)
      expect(answer.headers['set-cookie']?.[0]).toMatch(
        /^i18n_redirected=[a-z]{2}; Max-Age=31536000; Path=\/; SameSite=Lax$/,
      )
    },
  )

  it('keeps only the negotiated page out of shared caches', async () => {
    const home = await site.get('/')
    expect([home.headers['cache-control'], home.headers.vary]).toEqual([
      'private, no-cache',
      'Accept-Encoding, Accept-Language, Cookie',
    ])
    const spanish = await site.get('/es')
    expect([spanish.headers['cache-control']?.startsWith('public'), spanish.headers.vary]).toEqual([
      true,
      'Accept-Encoding',
    ])
    expect(
      (
        await site.get('/', {
          host: hostNames.zh,
          headers: { 'accept-language': 'th', cookie: 'i18n_redirected=es' },
        })
      ).status,
    ).toBe(200)
  })
})

describe('the redirect lookup of the API', () => {
  it.each([
    ['?path=/old&lang=en', { target: '/pricing', status: 301, external: false }],
    ['?path=/es/old&lang=es-ES', { target: '/es/pricing', status: 301, external: false }],
    [
      '?path=/away&lang=en',
      { target: 'https://partner.example/landing?x=1', status: 302, external: true },
    ],
    ['?path=/zh/pricing&lang=en', { target: 'ORIGIN_ZH/pricing', status: 301, external: true }],
    ['?path=/pricing&lang=zh-CN', null],
    ['?path=//evil.example&lang=en', { target: '/evil.example', status: 301, external: false }],
  ])('%s', async (query, expected) => {
    const answer = await site.get(`/api/site/redirect${query}`)
    expect(JSON.parse(answer.body.replaceAll(origin('zh'), 'ORIGIN_ZH'))).toEqual({
      code: 0,
      msg: 'ok',
      data: expected,
    })
  })

  it.each([
    ['', 400],
    ['?path=pricing', 400],
    ['?path=/a&lang=xx', 400],
    ['?path=/%zz', 400],
  ])('%s is refused', async (query, status) => {
    const answer = await site.get(`/api/site/redirect${query}`)
    expect([answer.status, (JSON.parse(answer.body) as { code: number }).code !== 0]).toEqual([
      status,
      true,
    ])
  })
})

describe('the redirect table on a running server', () => {
  it('applies as soon as it is saved; bad rows are reported and skipped', async () => {
    writeFileSync(
      join(content, 'redirects.yaml'),
      `${rows(tableRows)}- { from: "/new-row", to: "/faq" }\n- { from: "no-slash", to: "/faq" }\n- { from: "/loop", to: "/Loop/" }\n`,
    )
    await eventually(async () => expect((await site.get('/new-row')).status).toBe(301))
    const line = tableRows.length + 2
    await eventually(() =>
      expect(site.logs.map(({ msg }) => msg)).toEqual(
        expect.arrayContaining([
          `problem: content/redirects.yaml:${line}: from: a path that begins with one slash`,
          expect.stringContaining(`problem: content/redirects.yaml:${line + 1}: /loop: loops`),
          expect.stringMatching(/^problem: content\/redirects\.yaml:\d+: .*starts on a live page/),
        ]),
      ),
    )
    expect((await site.get('/loop')).status).toBe(404)
  })

  it('may redirect the home page, which does not keep a site from starting', async () => {
    const folder = temporaryFolder('content')
    cpSync(join(root, 'content'), folder, { recursive: true, preserveTimestamps: true })
    writeFileSync(join(folder, 'redirects.yaml'), '- { from: "/", to: "/pricing" }\n')
    const started = await startTestSite({ CONTENT_DIR: folder })
    const { status, headers } = await started.get('/')
    await started.stop()
    rmSync(folder, { recursive: true, force: true })
    expect([status, headers['location']]).toEqual([301, `http://localhost:${started.port}/pricing`])
  }, 60_000)

  it('refuses, with its line, a row that could lead to a host that it does not name', async () => {
    const yaml = refusedTargets.map(
      (to, index) => `- { from: "/moved-${index}/*", to: ${JSON.stringify(to)} }\n`,
    )
    writeFileSync(join(content, 'redirects.yaml'), yaml.join(''))
    await eventually(() => {
      const left = site.logs.flatMap(
        ({ msg }) => /content\/redirects\.yaml:(\d+): to: /.exec(msg)?.[1] ?? [],
      )
      expect([...new Set(left.map(Number))].sort((a, b) => a - b)).toEqual(
        refusedTargets.map((_to, index) => index + 1),
      )
    })
    const answers = await Promise.all(
      refusedTargets.map((_to, index) => site.get(`/moved-${index}/@evil.example/x`)),
    )
    expect(answers.map(({ headers }) => headers.location)).toEqual(answers.map(() => undefined))
  })

  it('wins over a live page, cached or not', async () => {
    expect((await site.get('/partner-plan')).status).toBe(200)
    expect((await site.get('/partner-plan')).headers['cache-status']).toMatch(/hit/)
    writeFileSync(
      join(content, 'redirects.yaml'),
      '- { from: "/partner-plan", to: "/partner", status: 302 }\n',
    )
    await eventually(async () =>
      expect((await site.get('/partner-plan')).headers.location).toBe(`${origin('en')}/partner`),
    )
  })
})
