import { locales, type LocaleCode } from '../../shared/i18n/locales'

/** `lang` for a text that is not in the page's language. */
export const langOf = (foreign: LocaleCode | undefined): string | undefined => (foreign ? locales[foreign].language : undefined)

type ForeignTextProps = { text: string; foreign?: LocaleCode | undefined; /** The title itself is in the page's language; only what it leads to is not. */ native?: true | undefined }

/** A title, with the mark "(English)" behind it when the text it leads to is not in the page's language. */
export function ForeignText({ text, foreign, native }: ForeignTextProps) {
  if (!foreign) return text
  const { name, language } = locales[foreign]
  if (!native) return <span lang={language}>{`${text} (${name})`}</span>
  return (
    <>
      {`${text} `}
      <span lang={language}>{`(${name})`}</span>
    </>
  )
}
