import type { Collection } from './content'
import type { LocaleCode } from './i18n/locales'

/** Answer of `GET /api/site/search` (decisions 9). */
export type SearchHit = {
  /** Path on the host of the language that was asked for. */
  url: string
  title: string
  collection: Collection
  /** Plain text; `marks` are `[start, end]` offsets in it, in UTF-16 units, in order and apart from each other. */
  excerpt: string
  marks: ReadonlyArray<readonly [number, number]>
  /** Language of the text, when it is not the one asked for. */
  foreign?: LocaleCode
  /** Name of that language in the one asked for, where the title itself is not foreign. */
  mark?: string
}
/** `total` counts the pages that were ranked, hits among them. */
export type SearchResult = { hits: readonly SearchHit[]; total: number }
