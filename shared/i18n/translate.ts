import i18next, { type i18n as I18n, type TFunction } from 'i18next'
import { glueWords } from './glue-words'
import { locales, type LocaleCode } from './locales'
import { shellNamespace } from './namespaces'

type Texts = Readonly<Partial<Record<string, unknown>>>
/** Texts with nothing to fill in, as they came out, by key. */
type Finished = { readonly locale: LocaleCode; readonly brand: string; readonly texts: Map<string, string> }

/**
 * Finished texts by the namespace that they are from: the server shows the same object to all pages of a language until content changes, and puts each
 * text together once in that time. A third of a page's render was that. Nothing of a visitor is in them: only texts that were asked for by their key alone.
 */
const finishedTexts = new WeakMap<object, Finished>()

function finishedOf(namespace: object, locale: LocaleCode, brand: string): Finished {
  const known = finishedTexts.get(namespace)
  if (known && known.locale === locale && known.brand === brand) return known
  const made: Finished = { locale, brand, texts: new Map() }
  finishedTexts.set(namespace, made)
  return made
}

/** `t` of a namespace, which remembers what it gave for a key alone. */
function remembering(t: TFunction, { texts }: Finished): TFunction {
  const give = (key: unknown, ...rest: unknown[]): unknown => {
    const plain = typeof key === 'string' && rest.length === 0
    const known = plain ? texts.get(key) : undefined
    if (known !== undefined) return known
    const text = Reflect.apply(t, undefined, [key, ...rest]) as unknown
    if (plain && typeof text === 'string') texts.set(key, text)
    return text
  }
  // What i18next hangs on it: language and namespace.
  return Object.assign(give, t) as TFunction
}

/**
 * One i18next instance for one request or one page: never shared, so that no visitor sees another's language.
 * `texts` are complete for the language (fallbacks are merged on the server), so there is one language in it.
 * `{{brand}}` may stand in every text. What it gives is for the page alone: short words are tied to the next (`glueWords`).
 */
export function createTranslator(locale: LocaleCode, texts: Texts, brand: string): I18n {
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
  const translator = Object.create(instance) as I18n
  // Parameters as they come: the types of i18next tie them to each namespace's keys, which do not matter here.
  translator.getFixedT = ((...given: unknown[]): TFunction => {
    const t = Reflect.apply(instance.getFixedT, instance, given) as TFunction
    const [, name, prefix] = given
    const namespace = typeof name === 'string' && !prefix ? texts[name] : undefined
    return typeof namespace === 'object' && namespace !== null ? remembering(t, finishedOf(namespace, locale, brand)) : t
  }) as I18n['getFixedT']
  return translator
}
