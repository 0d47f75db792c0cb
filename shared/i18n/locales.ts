/**
 * The languages (spec 1.2): one record each. A new language is one record here and one folder of
 * texts; prefixes, hosts, hreflang, fallback and matching are derived from this table.
 */

/** The language hosts: each language is served by exactly one of them (spec 3.7). */
export const hostNames = ['en', 'zh', 'ru'] as const
export type HostName = (typeof hostNames)[number]
export const isHostName = (value: string): value is HostName =>
  hostNames.some((name) => name === value)

export type Locale = {
  /** Code in paths, cookies and folder names. */
  code: LocaleCode
  value: LocaleCode
  /** BCP 47 tag, as in `<html lang>` and API calls. */
  language: string
  iso: string
  /** Language subtag of the tag. */
  lang: string
  /** Native name */
  name: string
  text: string
  /** Language host that serves it. */
  domain: HostName
  /** Path prefix with its slash, or empty. */
  prefix: '' | `/${string}`
  /** Other first path segments for this language: they redirect to the prefix. */
  aliases: readonly string[]
  /** hreflang values of its pages (spec 9.2): the tag and one without a region. */
  hreflang: readonly [string, string]
  /** Languages that texts and content come from, in order; the first is the language itself. */
  fallback: readonly LocaleCode[]
  /** Written without spaces between words. */
  spaceless: boolean
}

type LanguageRow = Pick<Locale, 'language' | 'name'> & {
  /** The language host that serves it without a prefix; the others have a prefix on `en`. */
  host?: HostName
  aliases?: readonly string[]
  hreflang?: readonly [string, string]
  /** Other languages to take texts from, in order; `en` where absent. */
  fallback?: readonly string[]
  spaceless?: boolean
}

const languages = {
  en: { language: 'en-US', name: 'English', host: 'en', fallback: [] },
  zh: { language: 'zh-CN', name: '简体中文', host: 'zh', spaceless: true },
  ru: { language: 'ru-RU', name: 'Русский', host: 'ru' },
  vn: { language: 'vi-VN', name: 'Tiếng Việt', aliases: ['vi'] },
  es: { language: 'es-ES', name: 'Español' },
  pt: { language: 'pt-PT', name: 'Português' },
  tr: { language: 'tr-TR', name: 'Türkçe' },
  th: { language: 'th-TH', name: 'ไทย', spaceless: true },
  fr: { language: 'fr-FR', name: 'Français' },
  uk: { language: 'uk-UA', name: 'Українська' },
  ko: { language: 'ko-KR', name: '한국어' },
  hi: { language: 'hi-IN', name: 'हिन्दी' },
  jp: { language: 'ja-JP', name: '日本語', aliases: ['ja'], spaceless: true },
  tc: {
    language: 'zh-TW',
    name: '繁體中文',
    aliases: ['zh-tw', 'zh-hk'],
    hreflang: ['zh-TW', 'zh-Hant'],
    fallback: ['zh', 'en'],
    spaceless: true,
  },
} as const satisfies Record<string, LanguageRow>

export type LocaleCode = keyof typeof languages
// `Object.keys` does not keep the type of the keys.
export const localeCodes = Object.keys(languages) as LocaleCode[]

function localeOf(code: LocaleCode): Locale {
  const row: LanguageRow = languages[code]
  const { language, name, host } = row
  const lang = language.split('-')[0] ?? language
  return {
    code,
    value: code,
    language,
    iso: language,
    lang,
    name,
    text: name,
    domain: host ?? 'en',
    prefix: host ? '' : `/${code}`,
    aliases: row.aliases ?? [],
    hreflang: row.hreflang ?? [language, lang],
    fallback: [code, ...(row.fallback ?? ['en']).filter(isLocaleCode)],
    spaceless: row.spaceless ?? false,
  }
}

export const isLocaleCode = (value: unknown): value is LocaleCode =>
  typeof value === 'string' && Object.hasOwn(languages, value)

export const allLocales: readonly Locale[] = localeCodes.map(localeOf)

// `Object.fromEntries` does not keep the type of the keys.
export const locales = Object.fromEntries(
  allLocales.map((locale) => [locale.code, locale]),
) as Readonly<Record<LocaleCode, Locale>>
/** The language of each host. `/en`, `/zh` and `/ru` in a path redirect to that host. */
export const hostLanguages: Readonly<Record<HostName, LocaleCode>> = {
  en: 'en',
  zh: 'zh',
  ru: 'ru',
}

/** Languages by first path segment, aliases included: `es`, `vi`, `zh-tw`, `en`. */
export const localeBySegment: ReadonlyMap<string, Locale> = new Map(
  allLocales.flatMap((locale) =>
    [locale.code, ...locale.aliases].map((segment) => [segment, locale] as const),
  ),
)
