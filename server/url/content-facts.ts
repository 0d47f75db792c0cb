import type { Collection } from '../../shared/content'
import type { LocaleCode } from '../../shared/i18n/locales'
import type { RedirectRow } from './redirect-table'

/** In which languages an entry is written. */
export type WrittenIn = { localesOf: (collection: Collection, id: string) => LocaleCode[] }

/** How many entries a list shows. */
export type ListCounts = {
  listed: (collection: Collection, locale: LocaleCode, category?: string, tag?: string) => number
  count: (
    collection: Collection,
    locale: LocaleCode,
    filter: { category?: string; tags?: readonly string[] },
  ) => number
}

/** What the decision about a URL reads from the content store, which is in a room above this one. */
export type ContentFacts = WrittenIn & {
  redirects: () => RedirectRow[]
  ordered: (collection: Collection, locale: LocaleCode) => ReadonlyArray<{ id: string }>
  site: () => { pre_sales: boolean }
  /** Calls back with the surrogate tags that changed. */
  onChange: (listener: (tags: readonly string[]) => void) => void
}
