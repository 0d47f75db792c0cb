import type { Collection } from '../../shared/front-matter'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { RedirectRow } from './redirect-table'

/** Languages that have a text of an entry. */
export type EntryLocales = { localesOf: (collection: Collection, id: string) => LocaleCode[] }

/** Numbers of entries in lists. */
export type ListCounts = {
  countEntries: (
    collection: Collection,
    locale: LocaleCode,
    filter: { category?: string; tags?: readonly string[] },
  ) => number
}

/** What URL rules read from the content store, whose room is above this one. */
export type ContentFacts = EntryLocales & {
  redirects: () => RedirectRow[]
  listOrdered: (collection: Collection, locale: LocaleCode) => ReadonlyArray<{ id: string }>
  siteConfig: () => { pre_sales: boolean }
  /** Calls back with the surrogate tags that changed. */
  onChange: (listener: (tags: readonly string[]) => void) => void
}
