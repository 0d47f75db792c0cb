import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { canonicalize, type RequestedUrl } from '../../../server/url/canonicalize'
import { parseRedirects } from '../../../server/content/compile/compile-redirects'
import { checkRedirects } from '../../../server/url/check-redirects'
import { splitTarget } from '../../../server/url/decode-path'
import { pathRules } from '../../../server/url/path-rules'
import { createRedirectTable, type RedirectRow } from '../../../server/url/redirect-table'
import type { UrlContext } from '../../../server/url/url-context'
import { refusedTargets, tableCases, tableRows, urlCases } from '../../cases/canonical-urls'

const origins = {
  en: 'https://www.example.com',
  zh: 'https://cn.example.com',
  ru: 'https://ru.example.com',
} as const
const facts = {
  firstDoc: () => 'first-doc',
  isSolution: (id: string) => ['e-commerce', 'crypto', 'betting'].includes(id),
  preSales: true,
}
const plain: UrlContext = { origins, redirects: createRedirectTable(), ...facts }
const numbered: RedirectRow[] = tableRows.map((row, index) => ({ ...row, line: index + 1 }))
const checked = checkRedirects(numbered, facts, (path) => path === '/fr/about-us')
const withTable: UrlContext = { ...plain, redirects: createRedirectTable(checked.rows) }

const ask = (host: RequestedUrl['host'], target: string): RequestedUrl => ({
  host,
  ...splitTarget(target),
})
const short = (location: string): string =>
  Object.entries(origins).reduce(
    (text, [name, origin]) =>
      text.startsWith(`${origin}/`) ? `${name}:${text.slice(origin.length)}` : text,
    location,
  )
function answer(host: RequestedUrl['host'], target: string, urlContext: UrlContext): string {
  const decision = canonicalize(ask(host, target), urlContext)
  if (decision.kind === 'page') return 'page'
  return decision.kind === 'bad'
    ? String(decision.status)
    : `${decision.status} ${short(decision.location)}`
}

describe('canonical URLs', () => {
  it.each(urlCases)('%s host, %s: %s', (host, target, expected) => {
    expect(answer(host, target, plain)).toBe(expected)
  })

  it('has a case for every path rule', () => {
    for (const rule of pathRules)
      expect(urlCases.some(([, target]) => rule.when.test(splitTarget(target).path))).toBe(true)
  })

  it('uses only the path of an absolute-form target', () => {
    expect(answer('en', 'http://evil.example/x/', plain)).toBe('301 en:/x')
    expect(answer('en', 'http://evil.example', plain)).toBe('page')
    expect(answer('en', 'HTTPS://evil.example//y', plain)).toBe('301 en:/y')
  })

  it('refuses a target of more than 8 KiB', () => {
    expect(answer('en', `/${'a'.repeat(8191)}`, plain)).toBe('page')
    expect(answer('en', `/${'a'.repeat(8192)}`, plain)).toBe('414')
    expect(answer('en', `/a?${'b'.repeat(8189)}`, plain)).toBe('page')
    expect(answer('en', `/a?${'b'.repeat(8190)}`, plain)).toBe('414')
  })

  it.each<[RequestedUrl['host'], string, string[]]>([
    ['en', '/%70ricing', ['encoded letters']],
    ['en', '/blog?page=1', ['page=1']],
    ['en', '/es/?page=1', ['page=1', 'trailing slash']],
    ['en', '\\pricing', ['backslash']],
    ['en', '/./pricing', ['dot segments']],
    ['en', '/blog/index.html', ['index.html']],
    ['en', '/en/zh/ru/pricing', ['language of another host in the path']],
    [
      'en',
      '//ES//Pricing.HTML/?a=1',
      ['repeated slashes', 'trailing slash', 'capital letters', '.html suffix'],
    ],
    ['en', '/ru/pricing', ['language of another host in the path']],
    ['en', '/vi', ['alias of a language prefix']],
    ['zh', '/es/pricing', ['host of the language']],
    ['en', '/old', ['redirect table, line 1']],
    [
      'en',
      '/chain-a',
      ['redirect table, line 10', 'redirect table, line 11', 'trailing slash', 'capital letters'],
    ],
    ['ru', '/solutions', ['availability']],
    ['en', '/case/e-commerce', ['content, settings and order of tags']],
    ['en', '/es?a=1', ['slash before the query of a language root']],
    // The slash of the root of a prefixed language with a query is right, so no rule changes it.
    ['zh', '/es/?a=1', ['host of the language', 'slash before the query of a language root']],
    [
      'en',
      '//es/?a=1',
      ['repeated slashes', 'trailing slash', 'slash before the query of a language root'],
    ],
    [
      'en',
      '/vi/?a=1',
      ['trailing slash', 'alias of a language prefix', 'slash before the query of a language root'],
    ],
    ['en', '/en/?a=1', ['trailing slash', 'language of another host in the path']],
    ['en', '/pricing/?a=1', ['trailing slash']],
    ['en', '/esA?a=1', ['capital letters']],
  ])('%s host, %s: names the rules %j', (host, target, expected) => {
    expect(canonicalize(ask(host, target), withTable)).toMatchObject({
      kind: 'redirect',
      appliedRules: expected,
    })
  })

  it.each([
    ['.html', 33, '/x', '', '301 en:/x'],
    ['.html', 1600, '/pricing', '', '301 en:/pricing'],
    ['.html/', 1300, '/pricing', '', '301 en:/pricing'],
    ['/index.html', 740, '/pricing', '', '301 en:/pricing'],
    ['/..html', 1100, '/pricing', '', '301 en:/pricing'],
    ['/a/...html', 800, '/pricing', '', '301 en:/pricing'],
    ['.HTML\\\\', 1100, '/pricing', '', '301 en:/pricing'],
    ['/en', 33, '', '/pricing', '301 en:/pricing'],
    ['/en', 2700, '', '/pricing', '301 en:/pricing'],
    ['/zh/ru', 1300, '', '/pricing', '301 ru:/pricing'],
  ])(
    'leads in one hop however often %s is repeated (%i)',
    (part, times, before, after, expected) => {
      expect(answer('en', before + part.repeat(times) + after, plain)).toBe(expected)
    },
  )

  it('redirects to the home page while pre-sales is disabled', () => {
    const off = { ...plain, preSales: false }
    expect([
      answer('en', '/pre-sales', plain),
      answer('en', '/pre-sales', off),
      answer('en', '/es/Pre-Sales', off),
      answer('en', '/pricing', off),
    ]).toEqual(['page', '302 en:/', '302 en:/es', 'page'])
  })

  it('shares one page between /es/?a=1 and /es', () => {
    const [one, two] = ['/es/?a=1', '/es'].map((target) => canonicalize(ask('en', target), plain))
    expect(one).toMatchObject({ kind: 'page', pathOnHost: '/es', locale: 'es', path: '/' })
    expect(two).toMatchObject({ kind: 'page', pathOnHost: '/es', locale: 'es', path: '/' })
  })
})

describe('the redirect table', () => {
  it.each(tableCases)('%s host, %s: %s', (host, target, expected) => {
    expect(answer(host, target, withTable)).toBe(expected)
  })

  it('reports what starts on a live page, and keeps it', () => {
    expect(checked.reports).toEqual([
      { line: 12, reason: expect.stringContaining('live page'), ignored: false },
    ])
    expect(checked.rows).toHaveLength(numbered.length)
  })

  const row = (
    from: string,
    to: string,
    line: number,
    locales: RedirectRow['locales'] = null,
  ): RedirectRow => ({ from, to, status: 301, locales, line })
  const check = (...rows: RedirectRow[]) => checkRedirects(rows, facts, () => false)
  it.each([
    ['a row that leads to itself', [row('/a', '/a', 1)], [1], /loops/],
    ['a row that leads to itself in another form', [row('/a', '/A.html/', 1)], [1], /loops/],
    [
      'the row that closes a circle',
      [row('/a', '/b', 1), row('/b', '/c', 2), row('/c', '/a', 3)],
      [3],
      /loops/,
    ],
    ['a row that leads to itself in one language', [row('/a', '/es/a', 1)], [1], /loops/],
    ['a folder that grows', [row('/old/*', '/old/new/:splat', 1)], [1], /loops/],
    [
      'a folder that grows on another host',
      [row('/old/*', '/old/new/:splat', 1, ['zh'])],
      [1],
      /loops/,
    ],
    [
      'a circle over availability',
      [row('/blog', '/use-cases', 1, ['en']), row('/solutions', '/blog', 2, ['en'])],
      [2],
      /loops/,
    ],
    ['a repeated row', [row('/a', '/b', 1), row('/A/', '/c', 2)], [2], /repeats line 1/],
    [
      'a row below a folder that is moved already',
      [row('/old/*', '/new/:splat', 1), row('/old/a', '/b', 2)],
      [2],
      /shadowed by line 1/,
    ],
    ['a row whose language its path excludes', [row('/ru/a', '/b', 1, ['es'])], [1], /exclude/],
    ['a row whose path names two hosts', [row('/ru/en/a', '/b', 1)], [1], /exclude/],
    ['an invalid path', [row('/%zz', '/b', 1)], [1], /not a valid path/],
    [
      'a row whose language excludes the one of its prefix',
      [row('/es/a', '/b', 1, ['pt'])],
      [1],
      /exclude/,
    ],
    [
      'a folder below one that is moved already',
      [row('/old/*', '/new/:splat', 1), row('/old/a/*', '/b', 2)],
      [2],
      /shadowed by line 1 \(\/old\/\*\) and never fires/,
    ],
    [
      'a folder that leads into itself in one language',
      [row('/es/a/*', '/es/a/b/:splat', 1)],
      [1],
      /^\/es\/a\/\*: loops: \/es\/a\/b\/:splat leads back to it$/,
    ],
  ])('ignores %s and says so', (_name, rows, lines, reason) => {
    const { rows: kept, reports } = check(...rows)
    expect(reports.filter(({ ignored }) => ignored).map(({ line }) => line)).toEqual(lines)
    expect(reports[0]?.reason).toMatch(reason)
    expect(kept.length).toBe(rows.length - lines.length)
  })

  it.each([
    ['different languages', [row('/a', '/b', 1, ['es']), row('/a', '/c', 2, ['pt'])]],
    ['one language, then of all', [row('/a', '/b', 1, ['en']), row('/a', '/c', 2)]],
    ['one path and of its folder', [row('/old/a-sample', '/b', 1), row('/old/*', '/new', 2)]],
    ['a host and of all languages', [row('/ru/a', '/b', 1), row('/a', '/c', 2)]],
    ['a prefix and of all languages', [row('/es/a', '/es/b', 1), row('/a', '/c', 2)]],
    ['all languages and of a prefix', [row('/a', '/b', 1), row('/es/a', '/es/c', 2)]],
    [
      'paths that end at another site',
      [row('/a', 'https://partner.example/a', 1), row('/b', '/a', 2)],
    ],
  ])('keeps rows of %s, and reports nothing', (_name, rows) => {
    const { rows: kept, reports } = check(...rows)
    expect([kept.map(({ line }) => line), reports]).toEqual([[1, 2], []])
  })

  it.each<[string, RedirectRow['locales'], string, RedirectRow['locales']]>([
    ['/Old.html/', null, '/old', null],
    ['/Old/*', null, '/old/*', null],
    ['/*', null, '/*', null],
    ['/index.html/*', null, '/*', null],
    ['/vi/old', null, '/vn/old', null],
    ['/vi/*', null, '/vn/*', null],
    ['/es', ['es', 'pt'], '/es', ['es', 'pt']],
    ['/ru/old', null, '/old', ['ru']],
    ['/ru', ['en', 'ru'], '/', ['ru']],
    ['/zh/*', null, '/*', ['zh']],
  ])('holds %s (%j) as %s (%j)', (from, locales, path, languages) => {
    const { rows } = check(row(from, 'https://partner.example/', 1, locales))
    expect(rows).toEqual([row(path, 'https://partner.example/', 1, languages)])
  })

  it('asks about live pages by path and language; folders are none', () => {
    const asked: string[] = []
    const { reports } = checkRedirects(
      [
        row('/a', '/b', 1, ['es', 'ru']),
        row('/es/c', '/d', 2),
        row('/old/*', '/e', 3),
        row('/zh/f', '/g', 4),
      ],
      facts,
      (path, locale) => {
        asked.push(`${locale} ${path}`)
        return path === '/es/c'
      },
    )
    expect(asked).toEqual(['es /es/a', 'ru /a', 'es /es/c', 'zh /f'])
    expect(reports).toEqual([
      {
        line: 2,
        reason: '/es/c: starts on a live page, which visitors can no longer reach',
        ignored: false,
      },
    ])
  })

  it('does not ask about languages in which an earlier row matches', () => {
    const asked: string[] = []
    checkRedirects(
      [
        row('/a', '/b', 1, ['es']),
        row('/fr/a', '/b', 2),
        row('/a', '/c', 3, ['en', 'es', 'fr', 'pt']),
      ],
      facts,
      (path) => {
        asked.push(path)
        return false
      },
    )
    expect(asked).toEqual(['/es/a', '/fr/a', '/a', '/pt/a'])
  })

  it.each([
    ['/blog?page=1', '301 en:/blog'],
    ['/blog?page=2#list', '301 en:/blog?page=2#list'],
    ['/use-cases?a=1#top', '301 en:/solutions?a=1#top'],
    ['/from/a/:splat', '301 en:/from/a/x'],
    ['/ä b/:splat', '301 en:/%C3%A4%20b/x'],
    ['https://partner.example/ä b#ü', '301 https://partner.example/%C3%A4%20b#%C3%BC'],
  ])('leads to %s as %s', (to, expected) => {
    const redirects = createRedirectTable([row('/from/*', to, 1)])
    expect(answer('en', '/from/x', { ...plain, redirects })).toBe(expected)
  })

  it.each([
    ['/from/x', 'https://www.example.com/Blog.html?page=1#list', '301 en:/blog#list'],
    ['/es/from/x', 'https://www.example.com/blog', '301 en:/blog'],
    ['/from/x', 'https://www.example.com/zh/:splat', '301 zh:/x'],
    ['/from/x', 'https://ru.example.com', '301 ru:/'],
    ['/from/x', 'https://www.example.com/from/x', 'page'],
    ['/from/x', 'https://www.example.community/Blog/', '301 https://www.example.community/Blog/'],
    ['/es/from/x', '/app?new=1', '301 en:/app?new=1'],
  ])('leads from %s to %s in one hop', (from, to, expected) => {
    const redirects = createRedirectTable([row('/from/*', to, 1)])
    expect(answer('en', from, { ...plain, redirects })).toBe(expected)
  })

  it('refuses a query, a fragment and a * in the middle of from', () => {
    const from = ['/a?b=1', '/a#b', '/a/*/b', '/a/*']
    const { rows, problems } = parseRedirects(
      from.map((path) => `- { from: "${path}", to: "/faq" }\n`).join(''),
    )
    expect([rows.map((one) => one.from), problems.map(({ line }) => line)]).toEqual([
      ['/a/*'],
      [1, 2, 3],
    ])
  })

  it.each([
    ['a quote that does not end', '- { from: /a, to: /b }\n- { from: "/c, to: /d }\n', 3, /quote/],
    ['two colons', '# Kept by hand.\n- from: /a: b\n', 2, /mapping/],
    ['no list', '# Kept by hand.\n/a: /b\n', 1, /^a list of rows is expected$/],
    ['a row that is no map', '- { from: /a, to: /b }\n- /c\n', 2, /^row: /],
    ['an unknown field', '- { from: /a, too: /b }\n', 1, /^row: no such field: too$/],
  ])('reports %s with its line', (_name, source, line, reason) => {
    expect(parseRedirects(source).problems).toContainEqual({
      file: 'content/redirects.yaml',
      line,
      reason: expect.stringMatching(reason),
    })
  })
})

describe('for any host, path and query', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '//',
      '\\',
      '.',
      '..',
      '/.',
      '/..',
      '.html',
      '/index.html',
      '.HTML',
      '%2F',
      '%5c',
      '%2e',
      '%70',
      '%00',
      '%',
      '%zz',
      '%E4%BB%A3',
      '@',
      ':',
      ';',
      '?',
      '#',
      '&',
      '=',
      '+',
      ' ',
      '<',
      '"',
      'é',
      '代',
      '\u0000',
      '\u0085',
    ),
    fc.constantFrom(
      'en',
      'zh',
      'ru',
      'es',
      'vi',
      'VN',
      'tc',
      'zh-tw',
      'pt',
      'pricing',
      'Pricing',
      'blog',
      'blog-proxies',
      'solutions',
      'use-cases',
      'guide',
      'betting',
      'media-market',
      'crypto',
      'docs',
      'case',
      'e-commerce',
      'news',
      'b+a',
      'old',
      'keep',
      'chain-a',
      'chain-b',
      'away',
      'help-centre',
      'temp',
      'campaign',
      'evil.example',
      'page=1',
      'page=2',
      'http:',
    ),
    fc.string({ maxLength: 4 }),
    fc
      .constantFrom('.html', '.html/', '/index.html', '/..html', '/a/...html', '/en', '/zh/ru')
      .map((part) => part.repeat(40)),
  )
  const target = fc.array(piece, { maxLength: 9 }).map((parts) => `/${parts.join('')}`)
  const host = fc.constantFrom('en' as const, 'zh' as const, 'ru' as const)
  const urlContext = fc.constantFrom(plain, withTable)

  it('ends, is idempotent, and redirects only to our origins and targets of the table', () => {
    fc.assert(
      fc.property(host, target, urlContext, (name, text, used) => {
        const decision = canonicalize(ask(name, text), used)
        if (decision.kind === 'bad') return [400, 414].includes(decision.status)
        if (decision.kind === 'page')
          return decision.pathOnHost.startsWith('/') && !/^\/[/\\]/.test(decision.pathOnHost)
        if (![301, 302, 307, 308].includes(decision.status)) return false
        if (decision.external)
          return decision.location.startsWith('https://partner.example/landing')
        const next = (Object.keys(origins) as Array<keyof typeof origins>).find((key) =>
          decision.location.startsWith(`${origins[key]}/`),
        )
        if (
          !next ||
          /^\/[/\\]/.test(decision.location.slice(origins[next].length)) ||
          /[\s\\]/.test(decision.location.split('?')[0] ?? '')
        )
          return false
        // A browser requests the parsed location without its fragment: it must be canonical.
        const parsed = new URL(decision.location)
        if (parsed.origin !== origins[next]) return false
        const again = canonicalize(ask(next, parsed.pathname + parsed.search), used)
        return again.kind === 'page'
      }),
      { numRuns: 30_000 },
    )
  })
})

describe('for any row of the redirect table and any path', () => {
  const piece = fc.oneof(
    fc.constantFrom(':splat', '/', '//', '\\', '@', ':', '?', '#', '.', '..', '%40', '%2f', '%5C'),
    fc.constantFrom(
      'http',
      'https:',
      '[::1]',
      ':443',
      'user',
      'evil.example',
      '\t',
      '\n',
      'ä',
      '。',
    ),
    fc.string({ maxLength: 2 }),
  )
  const text = fc.array(piece, { maxLength: 5 }).map((parts) => parts.join(''))
  const start = fc.constantFrom(
    'https://partner.example',
    'http://partner.example',
    'https://',
    '/',
    '',
  )
  const to = fc.oneof(
    fc.tuple(start, text).map((parts) => parts.join('')),
    fc.constantFrom(...refusedTargets),
  )
  /** What the row names, as it is written: everything between the slashes and the path. */
  const authorityOf = (url: string): string | undefined => /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]

  it('leads to the host that the row names, or stays on the site', () => {
    let external = 0
    fc.assert(
      fc.property(to, text, fc.constantFrom('', '?a=@evil.example'), (target, rest, query) => {
        const { rows } = parseRedirects(JSON.stringify([{ from: '/old/*', to: target }]))
        const redirects = createRedirectTable(checkRedirects(rows, facts, () => false).rows)
        const decision = canonicalize(ask('en', `/old/${rest}${query}`), { ...plain, redirects })
        if (decision.kind !== 'redirect') return true
        const { origin, host, username } = new URL(decision.location)
        if (!decision.external) return Object.values(origins).some((own) => own === origin)
        external += 1
        const named = authorityOf(target)
        return (
          authorityOf(decision.location) === named &&
          host === new URL(`${new URL(target).protocol}//${named}`).host &&
          username === ''
        )
      }),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 4_000) },
    )
    // The rows that are accepted must be tried too.
    expect(external).toBeGreaterThan(100)
  })
})
