import { describe, expect, it } from '@jest/globals'
import { isFilePath, localizeHtml, localizeLink } from '../../../server/url/localize-links'

describe('a link of an article', () => {
  it.each([
    ['/pricing', 'en', '/pricing'],
    ['/pricing', 'es', '/es/pricing'],
    ['/', 'es', '/es'],
    ['/blog?page=2#top', 'th', '/th/blog?page=2#top'],
    ['/pricing#plans', 'es', '/es/pricing#plans'],
    ['#top', 'es', '/es#top'],
    ['/solutions#list', 'vn', '/vn/use-cases#list'],
    ['/guide/first', 'es', '/es/blog'],
    ['/betting', 'tc', '/tc/media-market'],
    ['/blog/a', 'ru', '/'],
    ['/unknown/path', 'es', '/es/unknown/path'],
    ['/files/price-list.pdf?v=2', 'es', '/files/price-list.pdf?v=2'],
    ['/release/1.2.0', 'es', '/es/release/1.2.0'],
  ] as const)('%s leads in %s to %s', (target, locale, expected) => {
    expect(localizeLink(target, locale)).toBe(expected)
  })

  it.each([
    ['/a.PDF', true],
    ['/a.7z', true],
    ['/a.b/c', false],
    ['/a.', false],
    ['/pricing.html', false],
    ['/release/1.2.0', false],
    ['/docs/release/a.png', true],
  ])('%s names a file: %s', (path, expected) => {
    expect(isFilePath(path)).toBe(expected)
  })
})

describe('the placeholders of an article', () => {
  const fill = (html: string, texts: Readonly<Record<string, unknown>>): string =>
    localizeHtml(html, {
      store: {
        texts: (locale, namespace) => (locale === 'es' && namespace === 'article' ? texts : {}),
      },
      locale: 'es',
    })

  it('become links in the language and texts of the interface', () => {
    expect(
      fill(
        '<a href="site:/pricing">{{anchor}}</a><a href="https://a.example/">{{admonition.tip}}</a>',
        { anchor: 'Enlace & más', admonition: { tip: 'Consejo', note: 'Nota' } },
      ),
    ).toBe('<a href="/es/pricing">Enlace &amp; más</a><a href="https://a.example/">Consejo</a>')
  })

  it('are empty where there is no text, and other braces stay', () => {
    expect(
      fill('{{anchor}}{{admonition.tip}}{{admonition.note}}', { admonition: { tip: 'a' } }),
    ).toBe('a')
    expect(fill('<b>{{admonition.tip}}</b>', {})).toBe('<b></b>')
    expect(fill('{{brand}} {{admonition}}', { anchor: 'x' })).toBe('{{brand}} {{admonition}}')
  })
})
