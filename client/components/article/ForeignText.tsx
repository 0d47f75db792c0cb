import { glueWords } from '../../../shared/i18n/insert-no-break-spaces'
import { locales, type LocaleCode } from '../../../shared/i18n/locales'

/** `lang` for a text that is not in the page's language. */
export const langOf = (foreign: LocaleCode | undefined): string | undefined =>
  foreign ? locales[foreign].language : undefined

type ForeignTextProps = {
  text: string
  foreign?: LocaleCode | undefined
  /** Name of the foreign language in the page's: the title itself is not foreign, only what it leads to. */ mark?:
    string | undefined
}

/** A title, with the mark "(English)" behind it when the text it leads to is not in the page's language. */
export function ForeignText({ text, foreign, mark }: ForeignTextProps) {
  const shown = glueWords(text)
  if (!foreign) return shown
  return mark ? (
    `${shown} (${mark})`
  ) : (
    <span lang={langOf(foreign)}>{`${shown} (${locales[foreign].name})`}</span>
  )
}
