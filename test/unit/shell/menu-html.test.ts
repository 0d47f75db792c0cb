import { describe, expect, it } from '@jest/globals'
import { markLinksInHtml } from '../../../client/shell/menu-html'

describe('the links of the menus', () => {
  const links = ['/', '/docs', '/docs/api', '/docs/api/profiles', '/document'].map(
    (href) => `<a href="${href}">`,
  )
  const marksAt = (path: string): string[] =>
    [...markLinksInHtml(links.join(''), path).matchAll(/href="(\S+)" aria-current="(\w+)"/g)].map(
      ([, href, mark]) => `${href} ${mark}`,
    )

  it.each([
    ['/', ['/ page']],
    ['/docs', ['/docs page']],
    ['/docs/api/profiles', ['/docs true', '/docs/api true', '/docs/api/profiles page']],
    ['/pricing', []],
  ])('are marked at %s', (path, marks) => {
    expect(marksAt(path)).toEqual(marks)
  })

  it('are marked wherever they appear', () => {
    expect(markLinksInHtml('<a href="/docs"><b>1</b></a><a href="/docs">', '/docs')).toBe(
      '<a href="/docs" aria-current="page"><b>1</b></a><a href="/docs" aria-current="page">',
    )
  })
})
