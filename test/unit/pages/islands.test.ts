import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { islandNames } from '../../../shared/islands'
import { canonicalJson, islandUrl, payloadUrl } from '../../../shared/payload'
import { warmPaths } from '../../../shared/routes/warm-paths'
import { match } from '../../../shared/routes/match'
import { islandHash, islandId } from '../../../server/pages/islands/island-id'
import { islandTable } from '../../../server/pages/islands/island-table'
import { islandKey, pageKey, payloadKey } from '../../../server/cache/cache-keys'
import { payloadTarget } from '../../../server/url/payload-target'

describe('the hash of an island', () => {
  it('is the first 16 hex digits of SHA-256 over name, language, canonical props and build id', () => {
    const expected = createHash('sha256')
      .update('RelatedArticles\nes\n{"collection":"blog","id":"x"}\nabc')
      .digest('hex')
      .slice(0, 16)
    expect(islandHash('RelatedArticles', 'es', { id: 'x', collection: 'blog' }, 'abc')).toBe(
      expected,
    )
  })

  it('does not depend on the order of props, and on everything else', () => {
    const hash = islandHash('ReleaseList', 'en', { a: '1', b: '2' }, 'abc')
    expect(islandHash('ReleaseList', 'en', { b: '2', a: '1' }, 'abc')).toBe(hash)
    const others = [
      islandHash('ReleaseList', 'es', { a: '1', b: '2' }, 'abc'),
      islandHash('ComparisonTable', 'en', { a: '1', b: '2' }, 'abc'),
      islandHash('ReleaseList', 'en', { a: '1', b: '3' }, 'abc'),
      islandHash('ReleaseList', 'en', { a: '1', b: '2' }, 'abd'),
    ]
    expect(new Set([hash, ...others]).size).toBe(5)
  })

  it('stands in the address, with language and props', () => {
    expect(canonicalJson({ b: '2', a: '"&' })).toBe('{"a":"\\"&","b":"2"}')
    const id = islandId('HighlightedCode', 'en', { snippet: 'verify-mac' }, 'abc')
    expect(islandUrl(id, 'en', { snippet: 'verify-mac' })).toBe(
      `/__nuxt_island/${id}.json?lang=en&props=%7B%22snippet%22%3A%22verify-mac%22%7D`,
    )
  })

  it('is made for every island that has a name', () => {
    expect(Object.keys(islandTable).sort()).toEqual([...islandNames].sort())
  })
})

describe('the address of a payload', () => {
  it.each([
    ['/', '', '/_payload.json?b1'],
    ['/pricing', '', '/pricing/_payload.json?b1'],
    ['/blog', '?page=2', '/blog/_payload.json?b1&page=2'],
    ['/es/', '?ref=a', '/es/_payload.json?b1&ref=a'],
  ])('%s%s is %s', (path, query, url) => {
    expect(payloadUrl(path, query, 'b1')).toBe(url)
  })

  it.each([
    ['/_payload.json?b1', { path: '/', query: '', buildId: 'b1' }],
    ['/_payload.json', { path: '/', query: '', buildId: null }],
    ['//_payload.json', { path: '/', query: '', buildId: null }],
    ['/blog/_payload.json?b1&page=2', { path: '/blog', query: '?page=2', buildId: 'b1' }],
    ['/blog/_payload.json?page=2', { path: '/blog', query: '?page=2', buildId: null }],
    ['/blog/_payload.json?b1&flag&a=%zz', { path: '/blog', query: '?flag&a=%zz', buildId: 'b1' }],
    ['/%5fpayload.json?b1', { path: '/', query: '', buildId: 'b1' }],
    ['/%70ricing/_payload.json?b1', { path: '/%70ricing', query: '', buildId: 'b1' }],
    [
      'http://elsewhere.example/pricing/_payload.json',
      { path: '/pricing', query: '', buildId: null },
    ],
    ['/?/_payload.json', null],
    ['/_payload.json/', null],
    ['/_payload.json.html', null],
    ['/pricing%2f_payload.json', null],
    ['/pricing#/_payload.json', null],
    ['/x_payload.json', null],
  ])('%s asks for %j', (target, expected) => {
    expect(payloadTarget(target)).toEqual(expected)
  })
})

describe('keys of stored answers', () => {
  it('cannot meet, whatever a path holds: it holds no space', () => {
    const paths = [
      '/',
      '/_payload.json',
      '/payload',
      '/island',
      '/pricing?page=2',
      '/en',
      '/payload%20en',
    ]
    const keys = (['en', 'zh', 'ru'] as const).flatMap((host) =>
      paths.flatMap((path) => [
        pageKey(host, path, 1),
        payloadKey(host, path, 1),
        islandKey(host, path),
        pageKey(host, path, 3),
        payloadKey(host, path, null),
      ]),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('the paths to warm', () => {
  it('are canonical pages, each once, the home pages first, in all languages', () => {
    const paths = warmPaths()
    expect(paths.en.slice(0, 12)).toEqual([
      '/',
      '/vn',
      '/es',
      '/pt',
      '/tr',
      '/th',
      '/fr',
      '/uk',
      '/ko',
      '/hi',
      '/jp',
      '/tc',
    ])
    expect([paths.zh[0], paths.ru[0]]).toEqual(['/', '/'])
    expect(paths.ru).toContain('/use-cases')
    expect(paths.ru).not.toContain('/blog')
    expect(paths.zh).toContain('/media-market')
    expect(paths.zh).not.toContain('/web-scraping')
    for (const list of Object.values(paths)) {
      expect(new Set(list).size).toBe(list.length)
      for (const path of list) {
        expect(path).toMatch(/^\//)
        expect(
          match(path.replace(/^\/(?:vn|es|pt|tr|th|fr|uk|ko|hi|jp|tc)(?=\/|$)/, '') || '/'),
        ).not.toBeNull()
      }
    }
  })
})
