import i18next, { type i18n as I18n } from 'i18next'
import { glueWords } from './insert-no-break-spaces'
import { locales, type LocaleCode } from './locales'
import { shellNamespace } from './namespaces'
import { rememberTexts } from './remember-texts'

/** Texts of a page by namespace. The server gives the same object of a namespace to all pages of a language until content changes. */
type Texts = Readonly<Partial<Record<string, unknown>>>
type Shared = {
  brand: string
  instance: I18n
  /** Namespaces that were needed so far. */ namespaces: Map<string, unknown>
}

const instances = new Map<LocaleCode, Shared>()

function createInstance(locale: LocaleCode, brand: string): I18n {
  const instance = i18next.createInstance()
  const { language } = locales[locale]
  void instance.use({ type: 'postProcessor', name: 'glue', process: glueWords }).init({
    lng: language,
    fallbackLng: false,
    load: 'currentOnly',
    resources: {},
    ns: [],
    defaultNS: shellNamespace,
    initAsync: false,
    postProcess: 'glue',
    // React escapes; brackets keep keys with hyphens and dots apart from nesting.
    interpolation: { escapeValue: false, defaultVariables: { brand } },
    // The language never changes, nor do its texts: there is no event to listen for.
    react: { useSuspense: false, bindI18n: '', bindI18nStore: '' },
  })
  rememberTexts(instance)
  return instance
}

/**
 * The i18next instance of a language. Pages share it, because it has one language, which never changes, and the texts of one content generation. When a
 * namespace comes with other texts (content has changed) a new instance is made; pages that are being rendered keep theirs. `texts` are complete for the
 * language (fallbacks are merged on the server). `{{brand}}` may stand in every text. What it gives is for the page alone: short words are tied to the next (`glueWords`).
 */
export function translatorFor(locale: LocaleCode, texts: Texts, brand: string): I18n {
  let shared = instances.get(locale)
  const isStale =
    shared &&
    (shared.brand !== brand ||
      Object.entries(texts).some(
        ([name, namespace]) => (shared?.namespaces.get(name) ?? namespace) !== namespace,
      ))
  if (!shared || isStale)
    instances.set(
      locale,
      (shared = { brand, instance: createInstance(locale, brand), namespaces: new Map() }),
    )
  for (const [name, namespace] of Object.entries(texts)) {
    if (shared.namespaces.has(name)) continue
    shared.namespaces.set(name, namespace)
    shared.instance.addResourceBundle(locales[locale].language, name, namespace)
  }
  return shared.instance
}
