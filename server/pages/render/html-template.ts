import { escapeHtml } from '../../../shared/escape-html'

/** Safe markup. Only `html` creates it, so a text that is not escaped cannot become markup. */
export type Html = { readonly html: string }
type Part = Html | string | number | null | readonly Html[]

const textOf = (part: Part): string => {
  if (part === null) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(({ html: text }) => text).join('')
}

/**
 * Template tag for markup: escapes strings, inserts markup and lists of markup, and omits null.
 * Attributes need double quotes.
 */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: strings.reduce((result, text, index) => result + textOf(parts[index - 1] ?? null) + text),
})
