import type { LocaleCode } from '../../shared/i18n/locales'
import type { FlatTexts } from '../../server/content/translations/flatten'

/** Keys (`namespace:key`) that name pages, groups and categories. */
const nameKeys =
  /^(?:menus:NAVBAR_\w+|(?:search|links):groups\.\w+|errors:to\w+|lists:[\w-]+\.title|categories:[\w-]+|(?:about|links|partner-plan|referral-program):title)$/
/** Industries of the Chinese pages have other topics under the ids of the English ones. */
const otherTopics: Readonly<Partial<Record<LocaleCode, RegExp>>> = {
  zh: /^categories:industry_/,
  tc: /^categories:industry_/,
}

/**
 * Names that are one in English but several in a language: menu, search groups, page titles and
 * categories name the same thing alike. Both arguments have the texts of all namespaces.
 */
export function differingNames(
  source: FlatTexts,
  target: FlatTexts,
  locale: LocaleCode,
): Array<{ key: string; detail: string }> {
  const keysByName = new Map<string, string[]>()
  for (const [key, text] of Object.entries(source)) {
    if (!nameKeys.test(key) || otherTopics[locale]?.test(key)) continue
    const name = text.toLowerCase()
    keysByName.set(name, [...(keysByName.get(name) ?? []), key])
  }
  return [...keysByName.values()].flatMap((keys) => {
    const [first = '', ...others] = keys
    return others
      .filter((key) => target[key]?.toLowerCase() !== target[first]?.toLowerCase())
      .map((key) => ({ key, detail: `“${target[key]}”, but “${target[first]}” in ${first}` }))
  })
}
