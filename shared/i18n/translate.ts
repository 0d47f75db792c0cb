import i18next, { type i18n as I18n } from 'i18next'
import { glueWords } from './glue-words'
import { locales, type LocaleCode } from './locales'
import { shellNamespace } from './namespaces'

/**
 * One i18next instance for one request or one page: never shared, so that no visitor sees another's language.
 * `texts` are complete for the language (fallbacks are merged on the server), so there is one language in it.
 * `{{brand}}` may stand in every text. What it gives is for the page alone: short words are tied to the next (`glueWords`).
 */
export function createTranslator(locale: LocaleCode, texts: Readonly<Partial<Record<string, unknown>>>, brand: string): I18n {
  const instance = i18next.createInstance()
  const { language } = locales[locale]
  void instance.use({ type: 'postProcessor', name: 'glue', process: glueWords }).init({
    lng: language,
    fallbackLng: false,
    load: 'currentOnly',
    resources: { [language]: texts as Record<string, Record<string, unknown>> },
    ns: Object.keys(texts),
    defaultNS: shellNamespace,
    initAsync: false,
    postProcess: 'glue',
    // React escapes; brackets keep keys with hyphens and dots apart from nesting.
    interpolation: { escapeValue: false, defaultVariables: { brand } },
    react: { useSuspense: false },
  })
  // Every use of a text in a component copies the properties of the instance that it was given (react-i18next), some forty, bound methods among them: an
  // object that inherits them has none of its own to copy. A seventh of the time of an article's render went there.
  return Object.create(instance) as I18n
}
