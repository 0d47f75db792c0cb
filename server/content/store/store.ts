import type { Collection, FrontMatter } from '../../../shared/front-matter'
import { isLocaleCode, locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Namespace } from '../../../shared/i18n/namespaces'
import type { Product } from '../../../shared/product-schema'
import type { Heading } from '../../../shared/page-data'
import type { Texts } from '../../../shared/view'
import type { RedirectRow } from '../../url/redirect-table'
import { mergeTexts } from '../merge-texts'
import { fillAllReferences, referencesOf } from '../references'
import type { SiteConfig } from '../site-config'
import { connectContent, type ContentConnection, type ContentQueries } from './content-connection'
import type { OutlineRow } from './document-queries'
import type { EntryText } from './entry-queries'
import type { Entry, FullEntry, FullRow, ListFilter, OrderedEntry, TranslatedEntry } from './entry'

type TagListener = (tags: readonly string[]) => void
type UseQueries = ContentConnection['queries']
type StoreCache = {
  /** By language and namespace. */
  texts: Map<string, Texts>
  /** By collection and language. */
  ordered: Map<string, readonly OrderedEntry[]>
  /**
   * The entry that was found last: a page's loader, its metadata and its islands ask for the same.
   */
  entry: { key: string; found: FullEntry } | null
  siteConfig: SiteConfig | null
  product: Product | null
}

export type ContentStore = ReturnType<typeof createStore>

/** Longer ordered lists are not cached: an entry takes 0.5 KB. */
const maxCachedListLength = 200

const chainOf = (locale: LocaleCode): readonly LocaleCode[] => locales[locale].fallback

// The casts here and below: the content process has validated what it stored as JSON.
const parseRow = <C extends Collection>(
  { tagsOf }: ContentQueries,
  row: FullRow,
): FullEntry<C> => ({
  ...row,
  front: JSON.parse(row.front) as FrontMatter[C],
  headings: JSON.parse(row.headings) as Heading[],
  tags: tagsOf.all(row.key).map(({ tag }) => tag),
})

/**
 * Read access to what the content process compiled. Entries come in the given language or, where
 * it has no text of them, in the first of its fallbacks that has one (spec 5.4). Nothing that is
 * read from it is older than the last `onChange` call.
 */
export function createStore(folder: string) {
  const listeners = new Set<TagListener>()
  const cache: StoreCache = {
    texts: new Map(),
    ordered: new Map(),
    entry: null,
    siteConfig: null,
    product: null,
  }
  const connection = connectContent(folder, (tags) => {
    cache.texts.clear()
    cache.ordered.clear()
    cache.entry = null
    cache.siteConfig = null
    cache.product = null
    for (const listener of listeners) listener(tags)
  })
  const { queries, poll, ready, generation, close } = connection
  return {
    ready,
    /** Number of the content's last change. */
    generation,
    /**
     * A hash of all compiled content: equal on machines that show the same. It polls first, so
     * what is read after it, cached lists and texts included, is never older.
     */
    state(): string {
      poll()
      return queries().state.get()?.value ?? ''
    },
    /** Calls back with the surrogate tags of each new generation. */
    onChange(listener: TagListener): void {
      listeners.add(listener)
    },
    close,
    ...readEntries(queries, cache),
    ...readLists(queries, cache),
    ...readSitemapFacts(queries),
    ...readDocuments(queries, cache),
  }
}

function readEntries(queries: UseQueries, cache: StoreCache) {
  return {
    /** One entry, or null when no language of the chain has it. */
    findEntry<C extends Collection>(
      collection: C,
      id: string,
      locale: LocaleCode,
    ): FullEntry<C> | null {
      const key = `${locale}/${collection}/${id}`
      // The cast: the key holds the collection, so it is an entry of that one.
      if (cache.entry?.key === key) return cache.entry.found as FullEntry<C>
      for (const source of chainOf(locale)) {
        const row = queries().entry.get(collection, id, source)
        if (!row) continue
        const found = parseRow<C>(queries(), row)
        cache.entry = { key, found }
        return found
      }
      return null
    },
    /** An entry in exactly this language, published or not: only for previews. */
    findUnpublished(collection: Collection, id: string, locale: LocaleCode): FullEntry | null {
      const row = queries().unpublished.get(collection, id, locale)
      return row ? parseRow(queries(), row) : null
    },
    /** Languages that have a text of an entry. */
    localesOf: (collection: Collection, id: string): LocaleCode[] =>
      queries()
        .localesOf.all(collection, id)
        .map((row) => row.locale),
    /** The published texts of an entry, with a hash of each that changes with the text. */
    digestsOf: (collection: Collection, id: string) => queries().digestsOf.all(collection, id),
    /** Ids of published entries after one, in their order. */
    idsAfter: (collection: Collection, after: string, limit: number): string[] =>
      queries()
        .idsAfter.all(collection, after, limit)
        .map(({ id }) => id),
    /** Ids of entries after one, unpublished ones included. */
    allIdsAfter: (collection: Collection, after: string, limit: number): string[] =>
      queries()
        .allIdsAfter.all(collection, after, limit)
        .map(({ id }) => id),
    /** All texts of an entry, published or not. */
    textsOf: (collection: Collection, id: string): EntryText[] =>
      queries().textsOf.all(collection, id),
    /** Number of words of a text; of characters in languages without spaces. */
    countWords(key: number, locale: LocaleCode): number {
      const text = queries().plainText.get(key)?.text ?? ''
      if (locales[locale].spaceless) return text.replace(/\s+/g, '').length
      return text.split(/\s+/).filter(Boolean).length
    },
    /** The Markdown source of an entry. */
    readMarkdown: (entry: Entry): string => queries().markdown.get(entry.key)?.source ?? '',
  }
}

function readLists(queries: UseQueries, cache: StoreCache) {
  const scopeOf = (collection: Collection, locale: LocaleCode) => ({
    collection,
    chain: chainOf(locale),
  })
  return {
    /** Entries by date, newest first; `limit` and `offset` count entries. */
    listNewest: (
      collection: Collection,
      locale: LocaleCode,
      filter: ListFilter,
      limit: number,
      offset: number,
    ): Entry[] => queries().lists.newest(scopeOf(collection, locale), filter, limit, offset),
    /**
     * Number of entries that a list shows, as counted when the content was compiled. Only lists of
     * several tags are counted here. A change is counted a moment after it is visible.
     */
    countEntries(collection: Collection, locale: LocaleCode, filter: ListFilter): number {
      const { category = '', tags = [] } = filter
      const sizeOf = (tag: string): number =>
        queries().listSize.get(collection, locale, category, tag)?.total ?? 0
      if (tags.length < 2) return sizeOf(tags[0] ?? '')
      if (tags.some((tag) => sizeOf(tag) === 0)) return 0
      return queries().lists.count(scopeOf(collection, locale), filter)
    },
    /** All entries in the order of their front matter; meant for small collections. */
    listOrdered(collection: Collection, locale: LocaleCode): readonly OrderedEntry[] {
      const key = `${collection}/${locale}`
      const cached = cache.ordered.get(key)
      if (cached) return cached
      const list = queries().lists.ordered(scopeOf(collection, locale))
      if (list.length <= maxCachedListLength) cache.ordered.set(key, list)
      return list
    },
    listCategories: (collection: Collection, locale: LocaleCode): string[] =>
      queries()
        .categories.all(collection, locale)
        .map((row) => row.category),
    listTags: (collection: Collection, locale: LocaleCode, category: string): string[] =>
      queries()
        .tagsOfCategory.all(collection, locale, category)
        .map((row) => row.tag),
    listSeries: (collection: Collection, locale: LocaleCode, series: string): Entry[] =>
      queries().lists.series(scopeOf(collection, locale), series),
    findNeighbors: (
      entry: Entry,
      locale: LocaleCode,
    ): { previous: Entry | null; next: Entry | null } =>
      queries().lists.neighbors(entry, chainOf(locale)),
    /** Entries that are related to one by tags and text, best first. */
    listRelated: (
      collection: Collection,
      id: string,
      locale: LocaleCode,
      limit: number,
    ): Entry[] => {
      const { relatedIds, lists } = queries()
      const scope = scopeOf(collection, locale)
      return relatedIds(collection, id, scope.chain, limit).flatMap(
        (related) => lists.byId(scope, related) ?? [],
      )
    },
  }
}

function readSitemapFacts(queries: UseQueries) {
  return {
    /** Every list of a language, with the number of its entries. */
    outline: (locale: LocaleCode): OutlineRow[] => queries().outline.all(locale),
    /** Entries with a text in this language, by id; `limit` and `offset` count entries. */
    listTranslated: (
      collection: Collection,
      locale: LocaleCode,
      limit: number,
      offset: number,
    ): TranslatedEntry[] =>
      queries()
        .translated.all(collection, locale, limit, offset)
        .map((row) => ({ ...row, locales: row.locales.split(',').filter(isLocaleCode) })),
    /** Entries with a text in this language, newest first. */
    listNewestTranslated: (
      collection: Collection,
      locale: LocaleCode,
      limit: number,
    ): FullEntry[] =>
      queries()
        .newestTranslated.all(collection, locale, limit)
        .map((row) => parseRow(queries(), row)),
    /** Changes with what sitemaps show: entries, dates, lists, redirects, site configuration. */
    outlineState: (): string =>
      [
        ...queries()
          .digests.all()
          .map((row) => row.value),
        queries().document.get('redirects')?.json,
        queries().document.get('site')?.json,
      ].join('\n'),
  }
}

function readDocuments(queries: UseQueries, cache: StoreCache) {
  // The casts: the content process has validated what it stored as JSON.
  function readDocument(name: 'site' | 'product'): unknown {
    const json = queries().document.get(name)?.json
    if (!json) throw new Error(`the content database holds no ${name} document`)
    return JSON.parse(json)
  }
  /** The same object until it changes. */
  const siteConfig = (): SiteConfig => (cache.siteConfig ??= readDocument('site') as SiteConfig)
  /** The same object until it changes. */
  const product = (): Product => (cache.product ??= readDocument('product') as Product)
  return {
    siteConfig,
    product,
    /**
     * Interface texts of a namespace, completed from the language's fallbacks, with the facts that
     * they name. Pages fill in `{{brand}}` and their own values.
     */
    texts(locale: LocaleCode, namespace: Namespace): Texts {
      const key = `${locale}/${namespace}`
      const cached = cache.texts.get(key)
      if (cached) return cached
      const texts = chainOf(locale).reduceRight<Texts>((fallback, code) => {
        const json = queries().text.get(code, namespace)?.json
        return json ? mergeTexts(fallback, JSON.parse(json) as Texts) : fallback
      }, {})
      const references = new Map(referencesOf(siteConfig(), product(), locale))
      references.delete('brand')
      // The cast: filling in facts changes strings only.
      const filled = fillAllReferences(texts, references) as Texts
      cache.texts.set(key, filled)
      return filled
    },
    /** Rows of the redirect table, validated and in canonical form. */
    redirects: (): RedirectRow[] =>
      JSON.parse(queries().document.get('redirects')?.json ?? '[]') as RedirectRow[],
    /** The text of `content/api/openapi.yaml`; null where there is none. */
    openApi(): string | null {
      const json = queries().document.get('openapi')?.json
      // The cast: the content compiler stores this document as a JSON string.
      return json ? (JSON.parse(json) as string) : null
    },
    /** `limit` English entries after an id: whether each needs a translation into a language. */
    listOpenTranslations: (
      collection: Collection,
      locale: LocaleCode,
      after: string,
      limit: number,
    ) => queries().openAfter.all(collection, after, limit, locale),
    problems: (): Array<{ file: string; line: number; reason: string }> => queries().problems.all(),
  }
}
