import type { Collection } from '../../../shared/content'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Heading } from '../../../shared/page-data'
import type { FrontMatter } from '../schemas'

/** An entry as lists need it. `locale` is the language of its text. */
export type Entry = {
  key: number
  collection: Collection
  id: string
  locale: LocaleCode
  title: string
  description: string
  date: string | null
  updated: string | null
  category: string | null
  position: number | null
  minutes: number
  /** JSON of a `Cover`, as it lies in the store. */ cover: string | null
}
export type FullEntry<C extends Collection = Collection> = Entry & {
  front: FrontMatter[C]
  html: string
  headings: readonly Heading[]
  tags: readonly string[]
}
/** An entry of a collection that front matter orders. */
export type OrderedEntry = Entry & { icon: string | null }
export type ListFilter = { category?: string; tags?: readonly string[] }
