import type { Collection } from './front-matter'
import type { LocaleCode } from './i18n/locales'

/** Response of `GET /api/site/search` (spec 9.6). */
export type SearchHit = {
  /** Path on the host of the requested language. */
  url: string
  title: string
  collection: Collection
  /** Plain text */
  excerpt: string
  /** `[start, end]` offsets in the excerpt, in UTF-16 units, in order and without overlap. */
  marks: ReadonlyArray<readonly [number, number]>
  /** Language of the text where it differs from the requested one. */
  foreign?: LocaleCode
  /** Name of that language in the requested one; set where the title is a text of the interface. */
  mark?: string
}
/** `total` counts all ranked pages. */
export type SearchResult = { hits: readonly SearchHit[]; total: number }
