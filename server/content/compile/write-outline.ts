import { createHash } from 'node:crypto'
import type { Collection } from '../../../shared/front-matter'
import { isCollection } from '../../../shared/front-matter'
import { allLocales, type LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'
import { createMeta } from './generation-writer'

type Row = {
  key: number
  id: string
  locale: LocaleCode
  source: string
  category: string | null
  updated: string | null
  date: string | null
}
type CountRow = Count & { locale: LocaleCode; category: string; tag: string }
type TagsByArticle = ReadonlyMap<number, readonly string[]>
/** Entries of a list, and those of them with a text in the first language of the chain. */
type Count = { total: number; translated: number }
/** A chain of languages with texts in a collection, and the languages that come down to it. */
type CountedChain = {
  chain: LocaleCode[]
  locales: LocaleCode[]
  /** By `listKey`. */
  counts: Map<string, Count>
}
type Queries = ReturnType<typeof prepareQueries>

/** The only collections with lists by tag. */
const collectionsWithTagLists: readonly Collection[] = ['blog', 'news']
const staleKey = 'outline-due'

function prepareQueries(db: Connection) {
  return {
    articles: db.prepare<[string], Row>(
      `SELECT key, id, locale, source, category, updated, date FROM articles
       WHERE collection = ? AND live = 1 ORDER BY id`,
    ),
    tags: db.prepare<[string], { article: number; tag: string }>(
      `SELECT t.article, t.tag FROM articles a JOIN tags t ON t.article = a.key
       WHERE a.collection = ? AND a.live = 1 ORDER BY t.tag`,
    ),
    locales: db.prepare<[string], { locale: LocaleCode }>(
      'SELECT DISTINCT locale FROM articles WHERE collection = ? AND live = 1',
    ),
    counts: db.prepare<[string], CountRow>(
      `SELECT locale, category, tag, total, translated FROM outline
       WHERE collection = ? ORDER BY locale, category, tag`,
    ),
    remove: db.prepare('DELETE FROM outline WHERE collection = ?'),
    insert: db.prepare('INSERT INTO outline VALUES (?, ?, ?, ?, ?, ?)'),
  }
}

function tagsByArticle(queries: Queries, collection: Collection): TagsByArticle {
  const found = new Map<number, string[]>()
  if (!collectionsWithTagLists.includes(collection)) return found
  for (const { article, tag } of queries.tags.iterate(collection)) {
    const list = found.get(article)
    if (list) list.push(tag)
    else found.set(article, [tag])
  }
  return found
}

/** Chains without the languages that the collection has no text in; equal ones share one count. */
function chainsOf(queries: Queries, collection: Collection): CountedChain[] {
  const present = new Set(queries.locales.all(collection).map((row) => row.locale))
  const chains = new Map<string, CountedChain>()
  for (const { code, fallback } of allLocales) {
    const chain = fallback.filter((source) => present.has(source))
    if (chain.length === 0) continue
    const key = chain.join(' ')
    const counted = chains.get(key) ?? { chain, locales: [], counts: new Map<string, Count>() }
    counted.locales.push(code)
    chains.set(key, counted)
  }
  return [...chains.values()]
}

const listKey = (category: string, tag: string): string => `${category}\t${tag}`

function addToCount(counts: Map<string, Count>, key: string, isTranslated: boolean): void {
  const count = counts.get(key) ?? { total: 0, translated: 0 }
  count.total += 1
  if (isTranslated) count.translated += 1
  counts.set(key, count)
}

/** Counts one entry, given its texts, in every list that shows it. */
function countEntry(
  chains: readonly CountedChain[],
  texts: ReadonlyMap<LocaleCode, Row>,
  tags: TagsByArticle,
): void {
  for (const { chain, counts } of chains) {
    const source = chain.find((code) => texts.has(code))
    const row = source && texts.get(source)
    if (!row) continue
    const isTranslated = source === chain[0] && row.source === ''
    addToCount(counts, listKey('', ''), isTranslated)
    const { category } = row
    if (category === null) continue
    addToCount(counts, listKey(category, ''), isTranslated)
    for (const tag of tags.get(row.key) ?? [])
      addToCount(counts, listKey(category, tag), isTranslated)
  }
}

/** Counts all entries of a collection in one walk. Returns a hash of what was counted. */
function countCollection(
  queries: Queries,
  collection: Collection,
  chains: readonly CountedChain[],
): string {
  const tags = tagsByArticle(queries, collection)
  const digest = createHash('sha256')
  let texts = new Map<LocaleCode, Row>()
  let currentId = ''
  for (const row of queries.articles.iterate(collection)) {
    const { id, locale, source, category, updated, date, key } = row
    digest.update(
      `${id}\t${locale}${source}\t${category}\t${updated ?? date}\t${tags.get(key)?.join()}\n`,
    )
    if (id !== currentId) {
      countEntry(chains, texts, tags)
      texts = new Map()
      currentId = id
    }
    texts.set(locale, row)
  }
  countEntry(chains, texts, tags)
  return digest.digest('hex')
}

/** Replaces the counts of a collection. Returns whether they differ from those before. */
function replaceCounts(queries: Queries, collection: Collection, chains: CountedChain[]): boolean {
  const before = JSON.stringify(queries.counts.all(collection))
  queries.remove.run(collection)
  for (const { chain, locales, counts } of chains)
    for (const locale of locales)
      for (const [key, { total, translated }] of counts) {
        const [category = '', tag = ''] = key.split('\t')
        const ownTexts = locale === chain[0] ? translated : 0
        queries.insert.run(collection, locale, category, tag, total, ownTexts)
      }
  return JSON.stringify(queries.counts.all(collection)) !== before
}

/**
 * Counts how many entries every list of a collection shows in every language, and how many of them
 * have a text in that language (decision 40). Lists and sitemaps need these numbers; counting
 * 100,000 articles during a request would take too long. Runs in the content process, one walk per
 * collection; languages whose chains have the same texts share one count.
 */
export function createOutlineWriter(db: Connection) {
  const queries = prepareQueries(db)
  const meta = createMeta(db)
  const staleCollections = (): Collection[] =>
    (meta.get(staleKey) ?? '').split(' ').filter(isCollection)

  return {
    /**
     * Marks the collections among some surrogate tags to be counted again. The mark is in the
     * database, so a crash does not lose it.
     */
    markStale(tags: Iterable<string>): void {
      const stale = new Set([...staleCollections(), ...[...tags].filter(isCollection)])
      meta.set(staleKey, [...stale].join(' '))
    },
    /**
     * Counts the lists of the marked collections. `counted` are these collections, `changed` those
     * of them in which a count is not what it was before.
     */
    refresh(): { counted: Collection[]; changed: Collection[] } {
      const counted = staleCollections()
      const changed = counted.filter((collection) => {
        const chains = chainsOf(queries, collection)
        meta.set(`digest:${collection}`, countCollection(queries, collection, chains))
        return replaceCounts(queries, collection, chains)
      })
      if (counted.length > 0) meta.set(staleKey, '')
      return { counted, changed }
    },
  }
}
