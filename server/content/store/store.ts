import type { Collection } from '../../../shared/content'
import { isLocaleCode, locales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Namespace } from '../../../shared/i18n/namespaces'
import type { Heading } from '../../../shared/page-data'
import type { Texts } from '../../../shared/view'
import { contentFile } from '../data-files'
import { openForReading, readGeneration, type Connection } from '../database'
import type { Entry, FullEntry, ListFilter, OrderedEntry } from './entry'
import { mergeTexts } from './merge-texts'
import type { RedirectRow } from '../../url/redirect-table'
import type { FrontMatter } from '../schemas'
import type { SiteConfig } from '../site-config'
import { createStatements, type OutlineRow, type Statements } from './statements'

/** An entry with a text in some language, its last change (ISO day) and all languages it is written in. */
export type Written = { id: string; modified: string | null; locales: readonly LocaleCode[] }

type ListenToTags = (tags: readonly string[]) => void

export type ContentStore = ReturnType<typeof createStore>

/** Entries of an ordered list that is kept between changes: some 0.5 KB each. */
const keptList = 200

/** How often a server looks whether the content database has changed (ms): one cheap pragma, no query. */
const pollEvery = 50

/**
 * Read access to what the content process compiled. Entries come in the asked language or, where it has none, from the
 * language's fallbacks (decisions 5). `onChange` hears the surrogate tags of every new generation.
 */
export function createStore(folder: string) {
  let db: Connection | null = null
  let statements: Statements | null = null
  let generation = 0
  let version = -1
  let timer: NodeJS.Timeout | undefined
  const listeners = new Set<ListenToTags>()
  const merged = new Map<string, Texts>()
  const lists = new Map<string, readonly OrderedEntry[]>()
  let site: SiteConfig | null = null

  const use = (): Statements => {
    if (!statements) throw new Error('the content database is not ready')
    return statements
  }

  function open(): boolean {
    db ??= openForReading(contentFile(folder))
    if (!db) return false
    statements ??= createStatements(db)
    generation ||= readGeneration(db)
    return true
  }

  function check(): void {
    if (!open() || !db) return
    const now = db.pragma('data_version', { simple: true }) as number
    if (now === version) return
    version = now
    const before = generation
    generation = readGeneration(db)
    if (generation === before) return
    merged.clear()
    lists.clear()
    site = null
    const tags = use()
      .tagsSince.all(before)
      .map((row) => row.tag)
    for (const listener of listeners) listener(tags)
  }

  const chain = (locale: LocaleCode): readonly LocaleCode[] => locales[locale].fallback

  function full<C extends Collection>(
    entry: Entry & { front: string; html: string; headings: string },
  ): FullEntry<C> {
    const tags = use()
      .tagsOf.all(entry.key)
      .map((row) => row.tag)
    return {
      ...entry,
      front: JSON.parse(entry.front) as FrontMatter[C],
      headings: JSON.parse(entry.headings) as Heading[],
      tags,
    }
  }

  return {
    /** Waits until content has been compiled once. Rejects after `timeout` ms. */
    async ready(timeout: number): Promise<void> {
      const end = Date.now() + timeout
      while (!open()) {
        if (Date.now() > end) throw new Error('content was not compiled in time')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      check()
      timer ??= setInterval(check, pollEvery)
    },
    isReady: (): boolean => statements !== null,
    generation: (): number => generation,
    /** What all of the content is at this moment: equal on machines that show the same. Asked of the file, and never older than what is read after it, kept lists and texts among it. */
    state(): string {
      check()
      return use().state.get()?.value ?? ''
    },
    onChange(listener: ListenToTags): void {
      listeners.add(listener)
    },
    close(): void {
      clearInterval(timer)
      statements = null
      db?.close()
      db = null
    },

    /** One entry, or null when no language of the chain has it. */
    entry<C extends Collection>(
      collection: C,
      id: string,
      locale: LocaleCode,
    ): FullEntry<C> | null {
      for (const source of chain(locale)) {
        const found = use().entry.get(collection, id, source)
        if (found) return full<C>(found)
      }
      return null
    },
    /** Languages in which an entry has a text of its own. */
    localesOf: (collection: Collection, id: string): LocaleCode[] =>
      use()
        .localesOf.all(collection, id)
        .map((row) => row.locale),
    /** Entries by date, newest first; `limit` and `offset` count entries. */
    newest: (
      collection: Collection,
      locale: LocaleCode,
      filter: ListFilter,
      limit: number,
      offset: number,
    ): Entry[] => use().newest(collection, chain(locale), filter, limit, offset),
    count: (collection: Collection, locale: LocaleCode, filter: ListFilter): number =>
      use().count(collection, chain(locale), filter),
    /** All entries in the order that front matter gives; for collections of a handful, which are read once. */
    ordered(collection: Collection, locale: LocaleCode): readonly OrderedEntry[] {
      const key = `${collection}/${locale}`
      const known = lists.get(key)
      if (known) return known
      const list = use().ordered(collection, chain(locale))
      if (list.length <= keptList) lists.set(key, list)
      return list
    },
    categories: (collection: Collection, locale: LocaleCode): string[] =>
      use().categories(collection, chain(locale)),
    tagsIn: (collection: Collection, locale: LocaleCode, category: string): string[] =>
      use().tagsIn(collection, chain(locale), category),
    neighbours: (
      entry: Entry,
      locale: LocaleCode,
    ): { previous: Entry | null; next: Entry | null } => use().neighbours(entry, chain(locale)),
    related: (collection: Collection, id: string, locale: LocaleCode, limit: number): Entry[] =>
      use().related(collection, id, chain(locale), limit),

    series: (collection: Collection, locale: LocaleCode, series: string): Entry[] =>
      use().series(collection, chain(locale), series),
    /** The Markdown that an entry was written in. */
    markdown: (entry: Entry): string => use().markdown.get(entry.key)?.source ?? '',
    /** Every list of a language with the number of entries it shows (`own`: with a text in that language). */
    outline: (locale: LocaleCode): OutlineRow[] => use().outline.all(locale),
    /** How many entries a list shows in a language; 0 where nothing bears that category or tag. */
    listed: (collection: Collection, locale: LocaleCode, category = '', tag = ''): number =>
      use().listed.get(collection, locale, category, tag)?.total ?? 0,
    /** Entries written in a language, by id; `limit` and `offset` count entries. */
    written: (
      collection: Collection,
      locale: LocaleCode,
      limit: number,
      offset: number,
    ): Written[] =>
      use()
        .written.all(collection, locale, limit, offset)
        .map(({ id, modified, locales: codes }) => ({
          id,
          modified,
          locales: codes.split(',').filter(isLocaleCode),
        })),
    /** Equal as long as nothing has changed that sitemaps show: entries, dates, lists, redirects, switches. */
    outlineState: (): string =>
      [
        ...use()
          .digests.all()
          .map((row) => row.value),
        use().document.get('redirects')?.json,
        use().document.get('site')?.json,
      ].join('\n'),
    /** An entry whether it is public or not: for previews alone. */
    unpublished(collection: Collection, id: string, locale: LocaleCode): FullEntry | null {
      const found = use().unpublished.get(collection, id, locale)
      return found ? full(found) : null
    },

    /** Entries with a text of their own in a language, newest first. */
    newestOwn: (collection: Collection, locale: LocaleCode, limit: number): FullEntry[] =>
      use()
        .newestOwn.all(collection, locale, limit)
        .map((entry) => full(entry)),

    /** Interface texts of a namespace, completed from the language's fallbacks. */
    texts(locale: LocaleCode, namespace: Namespace): Texts {
      const key = `${locale}/${namespace}`
      const known = merged.get(key)
      if (known) return known
      const sources = [...chain(locale)]
        .reverse()
        .map((code) => use().text.get(code, namespace)?.json)
      const texts = sources.reduce<Texts>(
        (base, json) => (json ? mergeTexts(base, JSON.parse(json) as Texts) : base),
        {},
      )
      merged.set(key, texts)
      return texts
    },
    /** The same object until it changes. */
    site(): SiteConfig {
      if (site) return site
      const json = use().document.get('site')?.json
      if (!json) throw new Error('the content database holds no site configuration')
      site = JSON.parse(json) as SiteConfig
      return site
    },
    /** Rows of the redirect table, checked and in canonical form. */
    redirects: (): RedirectRow[] =>
      JSON.parse(use().document.get('redirects')?.json ?? '[]') as RedirectRow[],
    problems: (): Array<{ file: string; line: number; reason: string }> => use().problems.all(),
  }
}
