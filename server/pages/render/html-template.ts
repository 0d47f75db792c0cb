import { escapeHtml } from '../../../shared/escape-html'
/** Markup that is known to be safe. Only `html` makes it, so what comes from outside cannot become markup by being forgotten. */
export type Html = { readonly html: string }
type Part = Html | string | number | null | readonly Html[]

const textOf = (part: Part): string => {
  if (part === null) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html: text }) => text).join('')
}

/** A template of markup: texts and numbers in it are escaped, markup and lists of markup are put in as they are, null is nothing. Attributes stand in double quotes. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: strings.reduce((made, text, index) => made + textOf(parts[index - 1] ?? null) + text),
})
