import { allLocales, type LocaleCode } from './locales'

/** Regions and scripts of traditional Chinese. */
const traditionalChinese: readonly string[] = ['tw', 'hk', 'mo', 'hant']

const isTraditional = (subtags: readonly string[]): boolean =>
  // A script that is stated counts more than the region: readers of `zh-Hans-HK` want simplified.
  !subtags.includes('hans') && subtags.some((subtag) => traditionalChinese.includes(subtag))

/** The locale of a BCP 47 tag, or null: `pt-BR` is pt, `zh-HK` is tc (spec 4.6). */
export function localeOfTag(tag: string): LocaleCode | null {
  const [primary = '', ...rest] = tag.toLowerCase().split('-')
  if (primary === 'zh') return isTraditional(rest) ? 'tc' : 'zh'
  return allLocales.find(({ lang }) => lang === primary)?.code ?? null
}
