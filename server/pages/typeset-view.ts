import { insertNoBreakSpaces } from '../../shared/i18n/insert-no-break-spaces'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { PageView, Texts } from '../../shared/view'
import { withJoinedTitles } from './keep-chinese-words-together'

/** Fields of data that pages show as titles or sentences. Compiled HTML is typeset already. */
const sentenceFields: ReadonlySet<string> = new Set([
  'title',
  'lead',
  'description',
  'text',
  'question',
  'answer',
  'highlights',
])
/** A category is `{ id, label, href }`. Labels of tags are compared with those of the URL. */
const categoryFields: ReadonlySet<string> = new Set(['label'])

/** Inserts no-break spaces into the strings of the given fields; `null`: into all strings. */
function mapSentences(value: unknown, field: string, fields: ReadonlySet<string> | null): unknown {
  if (typeof value === 'string')
    return fields === null || fields.has(field) ? insertNoBreakSpaces(value) : value
  // Metadata has plain spaces.
  if (typeof value !== 'object' || value === null || field === 'seo') return value
  if (Array.isArray(value)) return value.map((item) => mapSentences(item, field, fields))
  const inner = fields && field === 'category' ? categoryFields : fields
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapSentences(item, key, inner)]),
  )
}

/** Data of an island or a page as it is shown: with no-break spaces. */
export const typesetData = <T>(data: T): T =>
  // The cast: only white space in strings changes.
  mapSentences(data, '', sentenceFields) as T

/** By the texts as the store returns them: the same object until content changes. */
const knownTexts = new WeakMap<Texts, Texts>()

/** Texts of a namespace as they are shown: with no-break spaces, in Chinese with joined titles. */
export function typesetTexts(texts: Texts, locale: LocaleCode): Texts {
  const known = knownTexts.get(texts)
  if (known) return known
  // The cast: the keys stay.
  const typeset = mapSentences(withJoinedTitles(texts, locale), '', null) as Texts
  knownTexts.set(texts, typeset)
  return typeset
}

export const typesetNamespaces = (
  texts: PageView['texts'],
  locale: LocaleCode,
): PageView['texts'] =>
  Object.fromEntries(
    Object.entries(texts).map(([namespace, group]) => [namespace, typesetTexts(group, locale)]),
  )

/** Landing pages and text pages, such as the terms: their titles come with the site. */
const isLandingPage = ({ texts }: PageView): boolean => 'landing' in texts

/**
 * What is rendered and sent to the browser of a view. Its head is made from the view itself, with
 * plain spaces, and Chinese titles of articles are shown as they were written. Only the server does
 * this: the rules are code that no visitor needs, and dictionaries of browsers differ.
 */
export const typesetView = (view: PageView): PageView => ({
  ...view,
  texts: typesetNamespaces(view.texts, view.locale),
  data: typesetData(isLandingPage(view) ? withJoinedTitles(view.data, view.locale) : view.data),
})
