import { describe, expect, it } from '@jest/globals'
import type { Database } from '../../../server/db/database'
import { csvText } from '../../../server/ops/insights/csv-text'
import { daysIn, filterQuery, readFilter } from '../../../server/ops/insights/insights-filter'
import { makeInsights } from '../../../server/ops/insights/make-insights'
import { createTally, otherKeys } from '../../../server/ops/insights/tally'
import { p75 } from '../../../server/ops/insights/web-vitals'
import { html } from '../../../server/pages/render/html-template'

const table = (rows: ReadonlyArray<ReadonlyArray<string | number | null>>) => ({
  columns: ['a'],
  rows,
})
const csvLines = (...cells: Array<string | number | null>): string[] =>
  csvText(table(cells.map((cell) => [cell])))
    .split('\r\n')
    .slice(1, -1)

describe('a CSV file', () => {
  it.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-2+3', `"'-2+3"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    ['  =1', `"'  =1"`],
    ['|cmd', `"'|cmd"`],
    ['＝1', `"'＝1"`],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['a;b', '"a;b"'],
    ['plain', 'plain'],
    ['1 - 2', '1 - 2'],
    ['', ''],
    [null, ''],
    [-3.5, '-3.5'],
    [0, '0'],
  ])('writes %j as %s', (cell, written) => expect(csvLines(cell)).toEqual([written]))
  it('begins with a byte order mark and ends each line with CRLF', () =>
    expect(csvText(table([['x']]))).toBe('\uFEFFa\r\nx\r\n'))
})

it('reads only with reports, which do not hold up visitors’ writes', async () => {
  const event = { received_at: 0, id: '', kind: 'view', locale: 'en', device_id: 'a', url: '' }
  const batches: unknown[] = [[{ ...event, data: '{"trigger":"load"}', context_id: 'c' }]]
  const database: Database = {
    dialect: 'sqlite',
    run: () => Promise.reject(new Error('not a report')),
    // A cast because a report returns what its query selects; after the events there are no rows.
    report: <T>() => Promise.resolve((batches.shift() ?? []) as T),
    queueLength: () => 0,
    close: () => Promise.resolve(),
  }
  const { tables } = await makeInsights(database, readFilter('from=1970-01-01&to=1970-01-01'))
  expect(tables[0]).toMatchObject({ id: 'days', rows: [['1970-01-01', 1, 1, 0, 0, 0]] })
})

describe('the filter', () => {
  const now = Date.parse('2026-03-15T23:59:59Z')
  it('defaults to the last 30 days', () =>
    expect(readFilter('', now)).toEqual({
      from: '2026-02-14',
      to: '2026-03-15',
      locale: null,
      country: null,
    }))
  it('includes both ends, also across months', () =>
    expect(daysIn(readFilter('from=2028-02-28&to=2028-03-01'))).toEqual([
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ]))
  it('reads the query string that it writes', () => {
    const filter = readFilter('from=2026-01-01&to=2026-01-31&locale=tc&country=TW')
    expect(readFilter(filterQuery(filter))).toEqual(filter)
  })
})

describe('numbers', () => {
  it.each([
    [[], null],
    [[7], 7],
    [[4, 1, 3, 2], 3],
    [[1, 2, 3, 4, 5], 4],
    [Array.from({ length: 100 }, (_, index) => index + 1), 75],
  ])('p75 of %j', (samples, value) => expect(p75(samples)).toBe(value))
  it('a tally puts the keys above its limit into one row', () => {
    const tally = createTally()
    for (let index = 0; index < 6000; index += 1) tally.add(`key ${index}`, `d${index}`)
    tally.add('key 1', 'd1')
    expect(tally.rows().length).toBe(5001)
    expect(
      tally
        .rows()
        .slice(0, 2)
        .map(({ key, count, visitors }) => [key, count, visitors]),
    ).toEqual([
      [otherKeys, 1000, 1000],
      ['key 1', 2, 1],
    ])
  })
})

it('html escapes text', () => {
  const evil = `"><img src=x onerror='alert(1)'>&`
  const escaped = `&quot;&gt;&lt;img src=x onerror='alert(1)'&gt;&amp;`
  expect(html`<p title="${evil}">${evil}${[html`<b>${evil}</b>`]}</p>`.html).toBe(
    `<p title="${escaped}">${escaped}<b>${escaped}</b></p>`,
  )
})
