import { locales, type LocaleCode } from '../../shared/i18n/locales'

/** `lang` for a text that is not in the page's language. */
export const langOf = (foreign: LocaleCode | undefined): string | undefined => (foreign ? locales[foreign].language : undefined)

/** A title, with the mark "(English)" behind it when its text is not in the page's language. */
export function ForeignText({ text, foreign }: { text: string; foreign?: LocaleCode | undefined }) {
  if (!foreign) return text
  return (
    <span lang={langOf(foreign)}>
      {text} ({locales[foreign].name})
    </span>
  )
}
