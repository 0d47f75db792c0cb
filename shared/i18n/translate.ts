import i18next, { type i18n as I18n, type TFunction } from 'i18next'
import { glueWords } from './glue-words'
import { locales, type LocaleCode } from './locales'
import { shellNamespace } from './namespaces'

type Texts = Readonly<Partial<Record<string, unknown>>>
/** Texts as they came out, by what they were asked for with. */
type Finished = { readonly locale: LocaleCode; readonly brand: string; readonly texts: Map<string, unknown> }

/** Finished texts of one namespace that are remembered (those with a number or a name filled in are many), and the longest key of one. */
const rememberedTexts = 4096
const longestKey = 160

/**
 * Finished texts by the namespace that they are from: the server shows the same object to all pages of a language until content changes, and puts each
 * text together once in that time. A third of a page's render was that. A text depends on nothing but what it was asked for with, which is its key here.
 */
const finishedTexts = new WeakMap<object, Finished>()

function finishedOf(namespace: object, locale: LocaleCode, brand: string): Finished {
  const known = finishedTexts.get(namespace)
  if (known && known.locale === locale && known.brand === brand) return known
  const made: Finished = { locale, brand, texts: new Map() }
  finishedTexts.set(namespace, made)
  return made
}

const isPlain = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** What a text was asked for with, as a key; null where it cannot be told (a list of keys, a value that is no text, number or switch). */
function askedFor(key: unknown, rest: readonly unknown[]): string | null {
  if (typeof key !== 'string' || rest.length > 1) return null
  const [values] = rest
  if (values === undefined) return key
  if (typeof values !== 'object' || values === null || !Object.values(values).every(isPlain)) return null
  const whole = `${key}\n${JSON.stringify(values)}`
  return whole.length > longestKey ? null : whole
}

/** Lists and groups of texts are given to many pages: nobody may change them. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) frozen(part)
  return value
}

/** `t` of a namespace, which remembers what it gave; `make` is asked for i18next's own when there is something new to put together. */
function remembering(make: () => TFunction, { texts }: Finished): TFunction {
  let t: TFunction | null = null
  const give = (key: unknown, ...rest: unknown[]): unknown => {
    const asked = askedFor(key, rest)
    const known = asked === null ? undefined : texts.get(asked)
    if (known !== undefined) return known
    t ??= make()
    const text = Reflect.apply(t, undefined, [key, ...rest]) as unknown
    if (asked === null) return text
    if (texts.size >= rememberedTexts) texts.clear()
    texts.set(asked, frozen(text))
    return text
  }
  return give as unknown as TFunction
}

function createInstance(locale: LocaleCode, texts: Texts, brand: string): I18n {
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
  })
  return instance
}

/**
 * One i18next instance for one request or one page: never shared, so that no visitor sees another's language. It is made when the first text is asked for
 * that is not finished yet; until then there is only what components read of it (react-i18next): making one is a sixth of a page's render.
 * `texts` are complete for the language (fallbacks are merged on the server), so there is one language in it, which never changes.
 * `{{brand}}` may stand in every text. What it gives is for the page alone: short words are tied to the next (`glueWords`).
 */
export function createTranslator(locale: LocaleCode, texts: Texts, brand: string): I18n {
  const { language } = locales[locale]
  let made: I18n | null = null
  const instance = (): I18n => (made ??= createInstance(locale, texts, brand))
  const translator = {
    isInitialized: true,
    language,
    languages: [language],
    resolvedLanguage: language,
    // Its language never changes, nor do its texts: nothing to listen for, nothing to wait for.
    options: { defaultNS: shellNamespace, react: { useSuspense: false, bindI18n: '', bindI18nStore: '' } },
    hasLoadedNamespace: () => true,
    // Parameters as they come: the types of i18next tie them to each namespace's keys, which do not matter here.
    getFixedT(...given: unknown[]): TFunction {
      const make = (): TFunction => Reflect.apply(instance().getFixedT, instance(), given) as TFunction
      const [, name, prefix] = given
      const namespace = typeof name === 'string' && !prefix ? texts[name] : undefined
      return typeof namespace === 'object' && namespace !== null ? remembering(make, finishedOf(namespace, locale, brand)) : make()
    },
    t: ((...given: unknown[]): unknown => Reflect.apply(instance().t, instance(), given)) as unknown as TFunction,
  }
  // Every use of a text in a component copies the properties of what it was given (react-i18next): this has none of its own.
  return Object.create(translator) as I18n
}
