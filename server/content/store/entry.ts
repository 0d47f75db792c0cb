import type { Collection } from '../../../shared/front-matter'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Heading } from '../../../shared/page-data'
import type { FrontMatter } from '../../../shared/front-matter'

/** An entry as lists need it. `locale` is the language that its text was written in. */
export type Entry = {
  key: number
  collection: Collection
  id: string
  locale: LocaleCode
  /** 1 where the text was converted from that language to the script of another. */
  converted: 0 | 1
  title: string
  description: string
  date: string | null
  updated: string | null
  category: string | null
  position: number | null
  /** Reading time. */
  minutes: number
  /** A `Cover` as JSON. */
  cover: string | null
}
export type FullEntry<C extends Collection = Collection> = Entry & {
  front: FrontMatter[C]
  html: string
  headings: readonly Heading[]
  tags: readonly string[]
}
/** A full entry as its row holds it: front matter and headings are JSON. */
export type FullRow = Entry & { front: string; html: string; headings: string }
/** An entry of a collection that is ordered by its front matter. */
export type OrderedEntry = Entry & { icon: string | null }
/** An entry with a text in one language: its last change (ISO day), and all its languages. */
export type TranslatedEntry = {
  id: string
  modified: string | null
  locales: readonly LocaleCode[]
}
/**
 * Which entries a list shows: all, those of a category, or those of a category with all the tags.
 */
export type ListFilter = { category?: string; tags?: readonly string[] }
/** A language and its fallbacks, in the order in which a text is looked for: at most three. */
export type Chain = readonly LocaleCode[]

/** Columns of an `Entry` and of a `FullRow`, from `articles a`. */
export const entryColumns =
  "a.key, a.collection, a.id, iif(a.source = '', a.locale, a.source) AS locale, " +
  "a.source <> '' AS converted, a.title, a.description, a.date, a.updated, a.category, " +
  'a.position, a.minutes, a.cover'
export const fullColumns = `${entryColumns}, a.front, a.html, a.headings`
