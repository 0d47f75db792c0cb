import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { allLocales, localeCodes } from '../../../shared/i18n/locales'
import {
  availability,
  industries,
  industryOf,
  industrySlug,
  redirectFor,
  switchLocale,
} from '../../../shared/routes/availability'
import { absoluteUrl, href, localePath } from '../../../shared/routes/href'
import { match, matchBench, areParamsWithinLimits } from '../../../shared/routes/match'
import { pathOf } from '../../../shared/routes/path-of'
import {
  disabledRoutes,
  menuNameOf,
  namedPages,
  nav,
  navIn,
  pageNameOf,
  parentOf,
} from '../../../shared/routes/nav'
import { collections } from '../../../shared/front-matter'
import {
  pageFileOf,
  routeOf,
  routeOfCollection,
  routes,
  shellOf,
  type RouteId,
} from '../../../shared/routes/table'
import { root } from '../../../testing/root'

/** Spec 5.1, plus the route with the case guard and the documents' root. */
const specified = [
  '/',
  '/_icons',
  '/{html}',
  '/about-us',
  '/alternatives/{id}',
  '/blog',
  '/blog-{category}',
  '/blog-{category}/{tags}',
  '/blog/{id}',
  '/case/{id}',
  '/docs',
  '/docs/{id}',
  '/download',
  '/error/404',
  '/error/502',
  '/faq',
  '/guide',
  '/guide/{id}',
  '/helps',
  '/helps/{id}',
  '/links',
  '/news',
  '/news-{category}',
  '/news-{category}/{tags}',
  '/news/{id}',
  '/partner',
  '/partner/{id}',
  '/partner-plan',
  '/pre-sales',
  '/pricing',
  '/referral-program',
  '/release',
  '/release/{id}',
  '/solutions',
  '/solutions/{id}',
  '/use-cases',
]

const samples: Record<string, string> = {
  id: 'some-id',
  html: 'privacy',
  category: 'proxies',
  tags: 'proxy+teamwork',
}
const paramsOf = (pattern: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(pattern.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, samples[name] ?? 'x']),
  )

describe('the route table', () => {
  it('holds every route of the specification and no other', () => {
    expect(routes.map((route) => route.pattern).sort()).toEqual([...specified].sort())
  })

  it('has a route for the entries of every collection', () => {
    expect(Object.keys(routeOfCollection).sort()).toEqual([...collections].sort())
  })

  it('has no two rows with the same id or pattern', () => {
    expect(new Set(routes.map((route) => route.id)).size).toBe(routes.length)
    expect(new Set(routes.map((route) => route.pattern)).size).toBe(routes.length)
  })

  it.each(routes.map((route) => [route.id, route] as const))(
    '%s: match is the inverse of href in every language',
    (_id, route) => {
      const params = paramsOf(route.pattern)
      for (const { code, prefix } of allLocales) {
        const address = href(code, route.id, params)
        const unprefixed =
          prefix !== '' && (address === prefix || address.startsWith(`${prefix}/`))
            ? address.slice(prefix.length) || '/'
            : address
        expect(match(unprefixed)).toEqual({ route, params })
        expect(localePath(code, pathOf(route.id, params))).toBe(address)
      }
    },
  )

  it.each([
    ['/blog-', 'single'],
    ['/blog-x', 'blog-category'],
    ['/blog-x/', null],
    ['/blog-x/y/z', null],
    ['/docs', 'docs'],
    ['/docs/', null],
    ['/docs/a/b', null],
    ['/alternatives', null],
    ['/error', 'single'],
    ['/error/500', null],
    ['/unknown/path', null],
    ['/release/1.2.0', 'release-detail'],
    ['', null],
    ['/a b', 'single'],
  ])('%s matches %s', (path, expected) => {
    expect(match(path)?.route.id ?? null).toBe(expected)
  })

  it('refuses to build a path without its parameter', () => {
    expect(() => pathOf('blog-article')).toThrow('needs the parameter id')
    expect(() => pathOf('blog-tags', { category: 'a', tags: '' })).toThrow('the parameter tags')
  })

  it('limits every parameter to 64 characters', () => {
    const [longest, tooLong] = [64, 65].map((length) => 'a'.repeat(length))
    expect(areParamsWithinLimits({ category: 'a', tags: longest ?? '' })).toBe(true)
    expect(areParamsWithinLimits({ category: 'a', tags: tooLong ?? '' })).toBe(false)
  })

  it('refuses an unknown route', () => {
    const unknown = 'unknown' as RouteId
    expect(() => pathOf(unknown)).toThrow('no route has the id unknown')
    expect(() => routeOf(unknown)).toThrow('no route has the id unknown')
  })

  it.each([
    ['/bench/home', 'bench-home'],
    ['/bench/article', 'bench-article'],
    ['/pricing', null],
  ])('matches %s as a page of the benchmark: %s', (path, expected) => {
    expect(matchBench(path)?.route.id ?? null).toBe(expected)
    if (expected) expect([match(path), matchBench(path)?.params]).toEqual([null, {}])
  })

  it.each([
    ['home', 'full', 'Home'],
    ['pricing', 'full', 'Pricing'],
    ['blog-article', 'full', 'BlogArticle'],
    ['error-404', 'plain', 'Error404'],
    ['error-502', 'bare', 'Error502'],
    ['bench-home', 'bare', 'BenchHome'],
  ] as const)('%s has the shell %s and the page file %s', (id, shell, file) => {
    expect([shellOf(id), pageFileOf(id)]).toEqual([shell, file])
  })

  it('builds URLs with the prefix, the host and the page of a list', () => {
    const origins = { en: 'https://en.example', zh: 'https://zh.example', ru: 'https://ru.example' }
    expect(
      [
        href('es', 'blog'),
        href('es', 'blog', {}, 1),
        href('es', 'blog', {}, 2),
        href('zh', 'blog', {}, 10),
      ].concat(absoluteUrl(origins, 'es', '/es/blog'), absoluteUrl(origins, 'zh', '/blog')),
    ).toEqual([
      '/es/blog',
      '/es/blog',
      '/es/blog?page=2',
      '/blog?page=10',
      'https://en.example/es/blog',
      'https://zh.example/blog',
    ])
  })
})

describe('availability', () => {
  it('has only rows with an effect, whose targets are available', () => {
    for (const row of availability) {
      expect(row.notIn.length).toBeGreaterThan(0)
      for (const locale of row.notIn)
        for (const route of row.routes) {
          const id = row.ids?.[0] ?? 'x'
          const instead = redirectFor(
            { route, params: route === 'single' ? { html: id } : { id } },
            locale,
          )
          expect(instead).not.toBeNull()
          if (instead) expect(redirectFor(instead, locale)).toBeNull()
        }
    }
  })

  it('has no two rows for the same page and language', () => {
    const seen = new Set<string>()
    for (const row of availability)
      for (const route of row.routes)
        for (const id of row.ids ?? ['*'])
          for (const locale of row.notIn) {
            const key = `${route} ${id} ${locale}`
            expect(seen.has(key)).toBe(false)
            seen.add(key)
          }
  })

  it.each([
    ['single', { html: 'betting' }, 'zh', { html: 'media-market' }],
    ['single', { html: 'media-market' }, 'es', { html: 'betting' }],
    ['single', { html: 'crypto' }, 'tc', { html: 'data-collection' }],
    ['single', { html: 'price-comparison' }, 'en', { html: 'agencies' }],
    ['single', { html: 'self-examination' }, 'ru', { html: 'ticketing' }],
    ['single', { html: 'traffic' }, 'zh', { html: 'traffic' }],
    ['single', { html: 'web-scraping' }, 'zh', null],
    ['solution', { id: 'betting' }, 'vn', null],
    ['solution', { id: 'crypto' }, 'vn', { id: 'crypto' }],
    ['alternative', { id: 'ziniao' }, 'en', null],
    ['alternative', { id: 'ziniao' }, 'tc', { id: 'ziniao' }],
    ['guide', {}, 'ru', null],
    ['blog', {}, 'ru', null],
  ] as const)('switching %s %j to %s gives %j', (route, params, locale, expected) => {
    expect(switchLocale({ route, params }, locale)?.params ?? null).toEqual(expected)
  })

  it.each([
    ['betting', 'betting', 'media-market'],
    ['traffic', 'traffic', 'traffic'],
    ['web-scraping', 'web-scraping', null],
    ['media-market', null, null],
  ])('the industry %s has the slug %s in English, and %s in Chinese', (id, english, chinese) => {
    expect([industrySlug(id, 'en'), industrySlug(id, 'zh'), industrySlug(id, 'tc')]).toEqual([
      english,
      chinese,
      chinese,
    ])
  })

  it('finds an industry by its slug in any language', () => {
    for (const { id, chinese } of industries)
      for (const slug of [id, chinese ?? id]) expect(industryOf(slug)).toBe(id)
    expect(industryOf('pricing')).toBeNull()
  })

  it('treats solutions and use-cases as one page', () => {
    expect(switchLocale({ route: 'solutions', params: {} }, 'ru')?.route).toBe('use-cases')
    expect(switchLocale({ route: 'use-cases', params: {} }, 'en')?.route).toBe('solutions')
  })

  it('has a text for every entry of the menus', () => {
    const texts = JSON.parse(
      readFileSync(join(root, 'locales', 'en', 'menus.json'), 'utf8'),
    ) as Record<string, string>
    for (const { key } of Object.values(nav).flat())
      expect({ key, text: texts[key] }).toEqual({ key, text: expect.stringMatching(/./) })
  })

  it('leaves pages out of menus that the language does not offer', () => {
    for (const code of localeCodes)
      for (const menu of Object.keys(nav) as Array<keyof typeof nav>) {
        for (const { page } of navIn(menu, code)) expect(redirectFor(page, code)).toBeNull()
      }
    expect(
      navIn('general', 'en', ['pre-sales']).some(({ page }) => page.route === 'pre-sales'),
    ).toBe(false)
    expect(navIn('general', 'ru').some(({ page }) => page.route === 'blog')).toBe(false)
  })

  it.each([
    ['bar', 'en', ['/pricing', '/download']],
    [
      'resources',
      'zh',
      ['/pricing', '/download', '/docs/profiles', '/helps', '/guide', '/blog', '/news', '/release'],
    ],
    [
      'company',
      'ru',
      [
        '/partner',
        '/about-us',
        '/pre-sales',
        '/partner-plan',
        '/referral-program',
        '/faq',
        '/links',
      ],
    ],
  ] as const)('has the menu %s in %s in this order: %j', (menu, locale, expected) => {
    expect(navIn(menu, locale).map((link) => link.href)).toEqual(expected)
  })

  it('has the links of solutions and features in the order of their lists', () => {
    expect(navIn('features', 'es').slice(0, 2)).toEqual([
      {
        key: 'NAVBAR_MULTI_ACCOUNT_MANAGEMENT',
        href: '/es/multi-account-management',
        page: { route: 'single', params: { html: 'multi-account-management' } },
      },
      {
        key: 'NAVBAR_SYNCHRONIZER',
        href: '/es/synchronizer',
        page: { route: 'single', params: { html: 'synchronizer' } },
      },
    ])
    expect(navIn('solutions', 'en').at(-1)).toEqual({
      key: 'NAVBAR_BETTING',
      href: '/solutions/betting',
      page: { route: 'solution', params: { id: 'betting' } },
    })
  })

  it('disables the pre-sales page only where the settings do', () => {
    expect([disabledRoutes(true), disabledRoutes(false)]).toEqual([[], ['pre-sales']])
  })

  it('names pages in tracking keys by their menu texts', () => {
    expect(pageNameOf('NAVBAR_MULTI_PROFILES_MANAGEMENT')).toBe('multi-profiles-management')
  })

  it('has each page without parameters once among those that search knows by name', () => {
    const known = namedPages.map(({ route }) => route)
    expect(known.slice(0, 4)).toEqual(['home', 'pricing', 'download', 'solutions'])
    expect(known).toHaveLength(new Set(known).size)
    for (const route of ['docs', 'doc', 'blog-category', 'error-404'] as const)
      expect(known).not.toContain(route)
    for (const route of ['links', 'pre-sales', 'use-cases'] as const) expect(known).toContain(route)
  })

  it.each([
    ['home', {}, 'NAVBAR_HOME'],
    ['blog', {}, 'NAVBAR_BLOG'],
    ['solution', { id: 'tiktok' }, 'NAVBAR_TIKTOK'],
    ['single', { html: 'local-api' }, 'NAVBAR_LOCAL_API'],
    ['single', { html: 'tiktok' }, null],
    ['solution', { id: 'local-api' }, null],
    ['alternative', { id: 'tiktok' }, null],
    ['blog-article', { id: 'tiktok' }, null],
  ] as const)('the menu name of %s %j is %s', (route, params, expected) => {
    expect(menuNameOf({ route, params })).toBe(expected)
  })

  it.each([
    ['blog-article', 'en', { key: 'NAVBAR_BLOG', href: '/blog' }],
    ['blog-article', 'es', { key: 'NAVBAR_BLOG', href: '/es/blog' }],
    ['blog-article', 'ru', null],
    ['solution', 'ru', { key: 'NAVBAR_SOLUTIONS', href: '/use-cases' }],
    ['doc', 'zh', { key: 'NAVBAR_DOCS', href: '/docs/profiles' }],
    ['guide-article', 'en', null],
    ['pricing', 'en', null],
  ] as const)('the breadcrumb of %s in %s leads up to %j', (route, locale, expected) => {
    const up = parentOf(route, locale)
    expect(up && { key: up.key, href: up.href }).toEqual(expected)
    if (up) expect(href(locale, up.page.route, up.page.params)).toBe(up.href)
  })
})
