import { locales, type LocaleCode } from '../../shared/i18n/locales'

/** The `lang` attribute of a text that is not in the page's language, otherwise undefined. */
export const langAttribute = (foreign: LocaleCode | undefined): string | undefined =>
  foreign ? locales[foreign].language : undefined

type TitleWithLanguageProps = {
  text: string
  /** Language of the linked text, when it is not the page's. */
  foreign?: LocaleCode | undefined
  /** Localized name of that language, when only the linked text is foreign, not the title. */
  mark?: string | undefined
}

/** A title; "(English)" follows it when the text it links to is not in the page's language. */
export function TitleWithLanguage({ text, foreign, mark }: TitleWithLanguageProps) {
  if (!foreign) return text
  return mark ? (
    `${text} (${mark})`
  ) : (
    <span lang={langAttribute(foreign)}>{`${text} (${locales[foreign].name})`}</span>
  )
}
