import i18next, { type i18n as I18n } from 'i18next'
import { locales, type LocaleCode } from './locales'
import { shellNamespace } from './namespaces'
import { memoizeTranslations } from './memoize-translations'

/**
 * Texts of a page by namespace. On the server all pages of a language share one object per
 * namespace until content changes.
 */
type Texts = Readonly<Partial<Record<string, unknown>>>
type SharedInstance = {
  brand: string
  instance: I18n
  /** Texts of the namespaces that were added so far. */
  namespaces: Map<string, unknown>
}

const instances = new Map<LocaleCode, SharedInstance>()

function createInstance(locale: LocaleCode, brand: string): I18n {
  const instance = i18next.createInstance()
  const { language } = locales[locale]
  void instance.init({
    lng: language,
    fallbackLng: false,
    load: 'currentOnly',
    // With resources, `init` ends before it returns.
    resources: {},
    ns: [],
    defaultNS: shellNamespace,
    // React escapes.
    interpolation: { escapeValue: false, defaultVariables: { brand } },
    // No component listens for another language or other texts: an instance never gets them.
    react: { useSuspense: false, bindI18n: '', bindI18nStore: '' },
  })
  memoizeTranslations(instance)
  return instance
}

/**
 * The i18next instance of a language. All pages share it: its language never changes, and its texts
 * belong to one generation of content. When a namespace has other texts (content changed), a new
 * instance is created; pages that are being rendered keep the old one. `texts` must be complete for
 * the language (the server merges fallbacks). Every text may contain `{{brand}}`.
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
