/**
 * THE LANGUAGES: one record each (spec sections 1, 2.1 and 3). Adding a language is one record here and one folder of
 * texts; prefixes, hosts, hreflang, fallback and matching are all read from this table.
 */

export const localeCodes = [
  'en',
  'zh',
  'ru',
  'vn',
  'es',
  'pt',
  'tr',
  'th',
  'fr',
  'uk',
  'ko',
  'hi',
  'jp',
  'tc',
] as const
export type LocaleCode = (typeof localeCodes)[number]

/** A language host: each language is served by exactly one of the three (decisions 3.7). */
export type HostName = 'en' | 'zh' | 'ru'

export type Locale = {
  /** Our own code: in paths, cookies and folder names. */
  code: LocaleCode
  /** The value of the code in lists and cookies. */
  value: LocaleCode
  /** ISO tag, as in `<html lang>` and calls of the API. */
  language: string
  iso: string
  /** Bare language subtag of the tag. */
  lang: string
  /** Native name, as shown in the language menu. */
  name: string
  text: string
  /** Which of the three hosts serves it. */
  domain: HostName
  /** Path prefix with its slash, or empty. */
  prefix: '' | `/${string}`
  /** Other first segments that mean this language: 301 to the prefix. */
  aliases: readonly string[]
  /** Tags under which a page is announced (decisions 9): the ISO tag and one catch-all. */
  hreflang: readonly [string, string]
  /** Where texts and content come from, in order; the first is the language itself. */
  fallback: readonly LocaleCode[]
  /** Written without spaces between words: matters for search, reading time and line breaks. */
  spaceless: boolean
}

type Facts = Pick<Locale, 'code' | 'language' | 'name'> &
  Partial<Pick<Locale, 'aliases' | 'hreflang' | 'fallback' | 'spaceless'>> & { host?: HostName }

function record(facts: Facts): Locale {
  const { code, language, name, host } = facts
  const lang = language.split('-')[0] ?? language
  const bare = code === 'en' || host !== undefined
  return {
    code,
    value: code,
    language,
    iso: language,
    lang,
    name,
    text: name,
    domain: host ?? 'en',
    prefix: bare ? '' : `/${code}`,
    aliases: facts.aliases ?? [],
    hreflang: facts.hreflang ?? [language, lang],
    fallback: facts.fallback ?? [code, 'en'],
    spaceless: facts.spaceless ?? false,
  }
}

export const locales: Readonly<Record<LocaleCode, Locale>> = {
  en: record({ code: 'en', language: 'en-US', name: 'English', fallback: ['en'] }),
  zh: record({ code: 'zh', language: 'zh-CN', name: '简体中文', host: 'zh', spaceless: true }),
  ru: record({ code: 'ru', language: 'ru-RU', name: 'Русский', host: 'ru' }),
  vn: record({ code: 'vn', language: 'vi-VN', name: 'Tiếng Việt', aliases: ['vi'] }),
  es: record({ code: 'es', language: 'es-ES', name: 'Español' }),
  pt: record({ code: 'pt', language: 'pt-PT', name: 'Português' }),
  tr: record({ code: 'tr', language: 'tr-TR', name: 'Türkçe' }),
  th: record({ code: 'th', language: 'th-TH', name: 'ไทย', spaceless: true }),
  fr: record({ code: 'fr', language: 'fr-FR', name: 'Français' }),
  uk: record({ code: 'uk', language: 'uk-UA', name: 'Українська' }),
  ko: record({ code: 'ko', language: 'ko-KR', name: '한국어' }),
  hi: record({ code: 'hi', language: 'hi-IN', name: 'हिन्दी' }),
  jp: record({ code: 'jp', language: 'ja-JP', name: '日本語', aliases: ['ja'], spaceless: true }),
  tc: record({
    code: 'tc',
    language: 'zh-TW',
    name: '繁體中文',
    aliases: ['zh-tw', 'zh-hk'],
    hreflang: ['zh-TW', 'zh-Hant'],
    fallback: ['tc', 'zh', 'en'],
    spaceless: true,
  }),
}

export const allLocales: readonly Locale[] = localeCodes.map((code) => locales[code])

/** Languages that are not named by a prefix but by their host: `/en`, `/zh`, `/ru` in a path mean that host. */
export const hostLanguages: Readonly<Record<HostName, LocaleCode>> = {
  en: 'en',
  zh: 'zh',
  ru: 'ru',
}

/** First path segment to language, aliases included: `es`, `vi`, `zh-tw`, and `en`, `zh`, `ru` themselves. */
export const localeBySegment: ReadonlyMap<string, Locale> = new Map(
  allLocales.flatMap((locale) =>
    [locale.code, ...locale.aliases].map((segment) => [segment, locale] as const),
  ),
)

export const isLocaleCode = (value: unknown): value is LocaleCode =>
  typeof value === 'string' && (localeCodes as readonly string[]).includes(value)
