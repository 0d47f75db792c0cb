import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createRedirectTable, type RedirectRow } from '../../../server/url/redirect-table'
import type { LocaleCode } from '../../../shared/i18n/locales'

const row = (from: string, to: string, line = 1, locales: RedirectRow['locales'] = null) =>
  ({ from, to, status: 301, locales, line }) as const

/** The table read from top to bottom: the first row that matches wins. */
function firstMatch(rows: readonly RedirectRow[], path: string, locale: LocaleCode) {
  for (const one of rows) {
    if (one.locales && !one.locales.includes(locale)) continue
    const folder = one.from.endsWith('/*') ? one.from.slice(0, -1) : null
    if (folder === null ? path === one.from : path.startsWith(folder) && path !== folder)
      return { line: one.line, rest: folder === null ? '' : path.slice(folder.length) }
  }
  return null
}

const path = fc
  .array(fc.constantFrom('a', 'b', ''), { minLength: 1, maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`)
const locales = fc.constantFrom(null, ['en'] as const, ['es', 'pt'] as const)
const rows = fc
  .array(fc.tuple(path, fc.boolean(), locales), { maxLength: 6 })
  .map((list) =>
    list.map(([from, isFolder, codes], index) =>
      row(isFolder ? `${from.replace(/\/$/, '')}/*` : from, '/to/:splat', index, codes),
    ),
  )

it('finds the first row that matches, whatever the rows are', () => {
  fc.assert(
    fc.property(
      rows,
      path,
      fc.constantFrom('en' as const, 'es' as const, 'ru' as const),
      (list, asked, locale) => {
        const hit = createRedirectTable(list).find(asked, locale)
        const expected = firstMatch(list, asked, locale)
        expect(hit && { line: hit.row.line, to: hit.to }).toEqual(
          expected && { line: expected.line, to: `/to/${expected.rest}` },
        )
      },
    ),
    { numRuns: 2000 },
  )
})

it('is the same as before after its last row was removed', () => {
  fc.assert(
    fc.property(
      rows,
      path,
      fc.constantFrom('en' as const, 'es' as const),
      (list, asked, locale) => {
        const table = createRedirectTable()
        for (const one of list) table.add(one)
        table.removeLast()
        const kept = list.slice(0, -1)
        expect(table.rows).toEqual(kept)
        expect(table.find(asked, locale)).toEqual(createRedirectTable(kept).find(asked, locale))
      },
    ),
    { numRuns: 1000 },
  )
})

it.each([
  ['/faq', '/faq', false],
  ['HTTPS://partner.example/', 'HTTPS://partner.example/', true],
  ['http://partner.example/:splat/:splat', 'http://partner.example/$&/$1/$&/$1', true],
  ['/https://partner.example', '/https://partner.example', false],
])('leads to %s', (to, expected, external) => {
  const hit = createRedirectTable([row('/old/*', to)]).find('/old/$&/$1', 'en')
  expect([hit?.to, hit?.external]).toEqual([expected, external])
})

it.each([
  ['/wp-%e4%b8%ad', '/wp-%E4%B8%AD', '/to/'],
  ['/wp-%E4%b8%AD', '/wp-%e4%b8%ad', '/to/'],
  ['/%c3%a9/*', '/%C3%A9/%e4a', '/to/%e4a'],
  ['/%C3%A9/*', '/%c3%a9/%E4a', '/to/%E4a'],
  ['/%c3%a9', '/%c3%A8', null],
  ['/%c3a', '/%c3A', null],
])('with the row %s leads %s to %s', (from, asked, expected) => {
  const hit = createRedirectTable([row(from, '/to/:splat')]).find(asked, 'en')
  expect(hit?.to ?? null).toBe(expected)
})
