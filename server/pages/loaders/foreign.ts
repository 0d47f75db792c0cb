import { languageName } from '../../../shared/i18n/language-name'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { ForeignText } from '../../../shared/page-data'
import type { Entry } from '../../content/store/entry'
import type { ContentContext } from './context'

/** Tag of the language of an entry's text; a converted one has no region: `zh-Hant`. */
export const textLanguage = (
  { locale, converted }: Pick<Entry, 'locale' | 'converted'>,
  shownIn: LocaleCode,
): string => (converted ? locales[shownIn].hreflang[1] : locales[locale].language)

/** The language of an entry that is not in the language of the page. */
export const foreignOf = (
  { locale }: Pick<ContentContext, 'locale'>,
  entry: Pick<Entry, 'locale' | 'converted'>,
): { foreign?: ForeignText } =>
  entry.locale === locale
    ? {}
    : {
        foreign: {
          locale: entry.locale,
          lang: textLanguage(entry, locale),
          name: languageName(entry.locale, locale),
          ...(entry.converted ? { converted: true as const } : {}),
        },
      }
