import { describe, expect, it } from '@jest/globals'
import { compileArticle } from '../../../server/content/compile/compile-article'
import { parseContentPath } from '../../../server/content/compile/content-path'
import { collections } from '../../../shared/front-matter'

const key = { collection: 'blog', id: 'a', locale: 'en' } as const
const good = [
  '---',
  'title: Title of {{brand}}',
  'description: What it says',
  'date: 2026-01-02',
  'category: proxies',
  'tags: [proxy]',
  '---',
  '',
  'Body of {{brand}}.',
].join('\n')
const compile = (source: string) =>
  compileArticle(
    'content/blog/a/en.md',
    key,
    source,
    new Map([['brand', 'Brand']]),
    () => ({ reason: 'no pictures here' }),
    () => ({ reason: 'no diagrams here' }),
  )

describe('an article', () => {
  it('becomes a row with the brand filled in', () => {
    expect(compile(good)).toMatchObject({
      title: 'Title of Brand',
      date: '2026-01-02',
      category: 'proxies',
      tags: ['proxy'],
      html: '<p>Body of Brand.</p>\n',
      text: 'Body of Brand.',
      draft: false,
      publish: null,
    })
  })

  it('may have Windows line endings and a byte order mark', () => {
    expect(compile(`\uFEFF${good.replaceAll('\n', '\r\n')}`)).toMatchObject({
      title: 'Title of Brand',
    })
  })

  it.each([
    ['no front matter', 'Just text', 1, /front matter is missing/],
    ['front matter that does not end', '---\ntitle: a\n', 1, /not closed/],
    ['a missing field', good.replace('description: What it says\n', ''), 2, /description/],
    ['a wrong date', good.replace('2026-01-02', 'yesterday'), 4, /date: a date as YYYY-MM-DD/],
    ['an unknown field', good.replace('tags:', 'tagz: x\ntags:'), 6, /tagz: no such field/],
    ['a tag that is no slug', good.replace('[proxy]', '[proxy, "Not A Slug"]'), 6, /tags\.1/],
    ['broken YAML', good.replace('title: Title', 'title: "Title'), 7, /.+/],
    ['a colon that needs quotes', good.replace('What it says', 'What: it: says'), 3, /.+/],
    ['an alias of nothing', good.replace('What it says', '*nothing'), 2, /^Unresolved alias/],
  ])('with %s is reported with its line', (_name, source, line, reason) => {
    const result = compile(source)
    expect(Array.isArray(result)).toBe(true)
    if (!Array.isArray(result)) return
    expect(result[0]).toMatchObject({ file: 'content/blog/a/en.md', line })
    expect(result[0]?.reason).toMatch(reason)
  })

  it('cannot expand YAML aliases without limit', () => {
    const ten = (item: string): string => `[${Array.from({ length: 10 }, () => item).join()}]`
    const bomb = `---\na: &a ${ten('x')}\nb: &b ${ten('*a')}\nc: ${ten('*b')}\n---\n`
    expect(compile(bomb)).toEqual([
      {
        file: 'content/blog/a/en.md',
        line: 2,
        reason: expect.stringMatching(/^Excessive alias count/),
      },
    ])
  })
})

describe('a path below content/', () => {
  it.each(collections.map((collection) => [collection]))(
    '%s/id/en.md is an article',
    (collection) => {
      expect(parseContentPath(`${collection}/some-id/en.md`)).toEqual({
        collection,
        id: 'some-id',
        locale: 'en',
      })
    },
  )
  it.each([
    ['posts/a/en.md'],
    ['blog/A/en.md'],
    ['blog/a_b/en.md'],
    ['blog/a/de.md'],
    ['blog/1.2/en.md'],
    [`blog/${'a'.repeat(65)}/en.md`],
  ])('%s is refused with a reason', (path) => {
    expect(parseContentPath(path)).toHaveProperty('reason')
  })
  it.each([['site.yaml'], ['blog/a/picture.png'], ['blog/a/b/en.md'], ['blog/en.md']])(
    '%s is no article',
    (path) => {
      const parsed = parseContentPath(path)
      expect(parsed === null || 'reason' in parsed).toBe(true)
    },
  )
  it('of a release may be a version', () => {
    expect(parseContentPath('release/1.2.0/zh.md')).toEqual({
      collection: 'release',
      id: '1.2.0',
      locale: 'zh',
    })
  })
})
