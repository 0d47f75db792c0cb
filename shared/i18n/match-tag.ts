import { allLocales, type LocaleCode } from './locales'

/** Chinese that is written in traditional letters, by region or script. */
const traditional: readonly string[] = ['tw', 'hk', 'mo', 'hant']

/** The language of a BCP 47 tag, or null where we have none: `pt-BR` is pt, `zh-HK` is tc (decisions 4). */
export function localeOfTag(tag: string): LocaleCode | null {
  const [primary = '', ...rest] = tag.toLowerCase().split('-')
  if (primary === 'zh') return rest.some((part) => traditional.includes(part)) ? 'tc' : 'zh'
  return allLocales.find(({ lang }) => lang === primary)?.code ?? null
}
