import type { i18n as I18n } from 'i18next'
import { locales, type LocaleCode } from '../shared/i18n/locales'
import type { Texts } from '../shared/view'

type Values = Readonly<Record<string, string | number | boolean>>
type Translate = (key: string, values?: Values) => unknown

const lookUp = (texts: unknown, key: string): unknown =>
  // Cast: the part may also be a text, in which the next name finds nothing.
  key.split('.').reduce((part, name) => (part as Texts | undefined)?.[name], texts)

/** Replaces each `{{name}}` by its value: in a text, or in every text of a list or group. */
function complete(value: unknown, values: Values): unknown {
  if (typeof value === 'string')
    return value.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
      String(values[name] ?? placeholder),
    )
  if (Array.isArray(value)) return value.map((part) => complete(part, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, complete(part, values)]),
  )
}

/**
 * Finds texts by key, with values and plural forms, as i18next does. It replaces i18next in the
 * browser, to save its size (decision 121): all texts of a page come with it, in one language. The
 * server renders with i18next (`shared/i18n/translate.ts`), and hydration needs the same results:
 * a test compares both for every text of the site.
 */
export function createBrowserTranslator(
  locale: LocaleCode,
  texts: Readonly<Record<string, unknown>>,
  brand: string,
): I18n {
  const plurals = new Intl.PluralRules(locales[locale].language)
  // Kept, because effects of components depend on `t`, and lists are passed to other components.
  const translators = new Map<string, Translate>()

  function createTranslator(namespace: string): Translate {
    const known = new Map<string, unknown>()
    return (key, values = {}) => {
      const cacheKey = key + JSON.stringify(values)
      if (known.has(cacheKey)) return known.get(cacheKey)
      const { count } = values
      const form = typeof count === 'number' ? `${key}_${plurals.select(count)}` : key
      const found = lookUp(texts[namespace], form) ?? lookUp(texts[namespace], key) ?? key
      const text = complete(found, { brand, ...values })
      known.set(cacheKey, text)
      return text
    }
  }

  const getFixedT = (_language: null, namespace: string): Translate => {
    const known = translators.get(namespace) ?? createTranslator(namespace)
    translators.set(namespace, known)
    return known
  }
  // Cast: components get texts by `useTexts`, which calls only `getFixedT`.
  return { getFixedT } as unknown as I18n
}
