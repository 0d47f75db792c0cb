import { insertNoBreakSpaces } from '../../shared/i18n/insert-no-break-spaces'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { PageView, Texts } from '../../shared/view'
import { withJoinedTitles } from './keep-chinese-words-together'

/** Fields that hold titles and sentences. Compiled HTML is typeset already. */
const sentenceFields: ReadonlySet<string> = new Set([
  'title',
  'lead',
  'description',
  'text',
  'question',
  'answer',
  'highlights',
])
/**
 * The fields with sentences inside the field `category`, which is `{ id, label, href }`. Elsewhere
 * a label may belong to a tag. Pages compare that with their URL, so it must not change.
 */
const categoryFields: ReadonlySet<string> = new Set(['label'])

/**
 * A copy of `value` with no-break spaces in its strings. `fields` names the fields whose strings
 * get them; null means all fields. `field` is the name of the field that holds `value`.
 */
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

/** The data of a page or an island as it is shown: its sentences have no-break spaces. */
export const typesetData = <T>(data: T): T =>
  // Cast: only characters of strings change.
  mapSentences(data, '', sentenceFields) as T

/** Results of `typesetTexts` by its `texts`, which are the same object until content changes. */
const typesetByTexts = new WeakMap<Texts, Texts>()

/**
 * The texts of a namespace as they are shown: with no-break spaces, and with Chinese titles that
 * break between words only.
 */
export function typesetTexts(texts: Texts, locale: LocaleCode): Texts {
  const known = typesetByTexts.get(texts)
  if (known) return known
  // Cast: only characters of strings change.
  const typeset = mapSentences(withJoinedTitles(texts, locale), '', null) as Texts
  typesetByTexts.set(texts, typeset)
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
