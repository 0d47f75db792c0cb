import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { allLocales, localeCodes } from '../../../shared/i18n/locales'
import { availability, redirectFor, switchLocale } from '../../../shared/routes/availability'
import { href, localePath } from '../../../shared/routes/href'
import { match, pathOf, areParamsWithinLimits } from '../../../shared/routes/match'
import { nav, navIn } from '../../../shared/routes/nav'
import { collections } from '../../../shared/front-matter'
import { routeOfCollection, routes } from '../../../shared/routes/table'
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
    expect(areParamsWithinLimits({ id: 'a'.repeat(65) })).toBe(false)
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
})
