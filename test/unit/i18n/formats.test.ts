import { describe, expect, it } from '@jest/globals'
import { formatDay } from '../../../shared/i18n/format-day'
import { allLocales, locales, type LocaleCode } from '../../../shared/i18n/locales'
import { translatorFor } from '../../../shared/i18n/translate'

/** A day, a number and three counts in each language, from CLDR; `Intl` of this Node must agree. */
const expected: Readonly<
  Record<LocaleCode, { date: RegExp; number: string; plurals: readonly string[] }>
> = {
  en: { date: /^November 21, 2026$/, number: '1,234,567.8', plurals: ['one', 'other', 'other'] },
  zh: { date: /^2026年11月21日$/, number: '1,234,567.8', plurals: ['other', 'other', 'other'] },
  ru: { date: /^21 ноября 2026/, number: '1 234 567,8', plurals: ['one', 'few', 'many'] },
  vn: { date: /21 tháng 11, 2026$/, number: '1.234.567,8', plurals: ['other', 'other', 'other'] },
  es: {
    date: /^21 de noviembre de 2026$/,
    number: '1.234.567,8',
    plurals: ['one', 'other', 'other'],
  },
  pt: {
    date: /^21 de novembro de 2026$/,
    number: '1 234 567,8',
    plurals: ['one', 'other', 'other'],
  },
  tr: { date: /^21 Kasım 2026$/, number: '1.234.567,8', plurals: ['one', 'other', 'other'] },
  th: {
    date: /^21 พฤศจิกายน (พ\.ศ\. )?2569$/,
    number: '1,234,567.8',
    plurals: ['other', 'other', 'other'],
  },
  fr: { date: /^21 novembre 2026$/, number: '1 234 567,8', plurals: ['one', 'other', 'other'] },
  uk: { date: /^21 листопада 2026/, number: '1 234 567,8', plurals: ['one', 'few', 'many'] },
  ko: { date: /^2026년 11월 21일$/, number: '1,234,567.8', plurals: ['other', 'other', 'other'] },
  hi: { date: /^21 नवंबर 2026$/, number: '12,34,567.8', plurals: ['one', 'other', 'other'] },
  jp: { date: /^2026年11月21日$/, number: '1,234,567.8', plurals: ['other', 'other', 'other'] },
  tc: { date: /^2026年11月21日$/, number: '1,234,567.8', plurals: ['other', 'other', 'other'] },
}

describe.each(allLocales.map(({ code }) => [code]))('%s', (code) => {
  const { language } = locales[code]
  it('formats dates and numbers by the rules of the language', () => {
    expect(formatDay('2026-11-21', code)).toMatch(expected[code].date)
    expect(new Intl.NumberFormat(language).format(1234567.8).replace(/[\u00a0\u202f]/g, ' ')).toBe(
      expected[code].number,
    )
  })

  it('chooses plural forms by the rules of the language', () => {
    const forms = Object.fromEntries(
      ['one', 'few', 'many', 'other'].map((form) => [`n_${form}`, form]),
    )
    const { t } = translatorFor(code, { shell: forms }, 'Brand')
    const translate = t as unknown as (key: string, options: { count: number }) => string
    expect([1, 3, 5].map((count) => translate('n', { count }))).toEqual(expected[code].plurals)
  })
})
