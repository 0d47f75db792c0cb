import type { Collection } from '../../../shared/front-matter'
import { allLocales, type LocaleCode } from '../../../shared/i18n/locales'
import { readGeneration, type Connection } from '../database'
import { createListQueries } from '../store/list-queries'
import {
  createRelatedFinder,
  datedCollections,
  relatedCollections,
  relatedTag,
} from '../store/related'
import type { ArticleKey } from './content-path'
import type { PreparedArticle } from './prepare-article'
import { createSearchIndexWriter } from './write-search-index'

type StoredArticle = { key: number; collection: Collection; id: string; locale: LocaleCode }
type Statements = ReturnType<typeof prepareStatements>
export type ArticleWriter = ReturnType<typeof createArticleWriter>

/**
 * When an article is written, articles near it may show it as related from now on. Each shows
 * three, so only so many of the nearest are purged.
 */
const maxPurgedNeighbors = 12
/**
 * From so many changed articles on, all pages that show others are purged: finding the nearest of
 * each article would slow down the compiler.
 */
const maxIndividualPurges = 50

function prepareStatements(db: Connection) {
  return {
    findByPath: db.prepare<[string], StoredArticle>(
      'SELECT key, collection, id, locale FROM articles WHERE path = ?',
    ),
    insert: db.prepare(
      `INSERT INTO articles (collection, id, locale, source, path, hash, digest, title, description, date,
         updated, category, position, live, publish, minutes, front, html, headings, text, cover)
       VALUES (@collection, @id, @locale, @source, @path, @hash, @digest, @title, @description, @date,
         @updated, @category, @position, @live, @publish, @minutes, @front, @html, @headings, @text,
         @cover)`,
    ),
    remove: db.prepare('DELETE FROM articles WHERE key = ?'),
    insertTag: db.prepare('INSERT OR IGNORE INTO tags VALUES (?, ?, ?, ?)'),
    removeTags: db.prepare('DELETE FROM tags WHERE article = ?'),
    insertMarkdown: db.prepare('INSERT INTO markdown VALUES (?, ?)'),
    removeMarkdown: db.prepare('DELETE FROM markdown WHERE article = ?'),
    insertArticleTerms: db.prepare('INSERT INTO article_terms VALUES (?, ?)'),
    articleTerms: db.prepare<[number], { terms: string }>(
      'SELECT terms FROM article_terms WHERE article = ?',
    ),
    removeArticleTerms: db.prepare('DELETE FROM article_terms WHERE article = ?'),
    insertTerm: db.prepare('INSERT INTO terms VALUES (?, ?, ?, ?)'),
    removeTerm: db.prepare(
      'DELETE FROM terms WHERE term = ? AND collection = ? AND locale = ? AND article = ?',
    ),
    dueArticles: db.prepare<[number], StoredArticle>(
      `SELECT key, collection, id, locale FROM articles
       WHERE publish IS NOT NULL AND publish <= ? AND live = 0`,
    ),
    publish: db.prepare('UPDATE articles SET live = 1, publish = NULL WHERE key = ?'),
    nextPublication: db.prepare<[], { at: number | null }>(
      'SELECT min(publish) AS at FROM articles WHERE publish IS NOT NULL AND live = 0',
    ),
  }
}

/** The row of an article, except its key and tags. */
function rowOf(path: string, hash: string, article: PreparedArticle) {
  const isScheduled = article.publish !== null && article.publish > Date.now()
  return {
    ...article,
    path,
    hash,
    live: article.draft || isScheduled ? 0 : 1,
    // A draft is not published automatically, whatever its date is.
    publish: isScheduled && !article.draft ? article.publish : null,
  }
}

function insertArticle(
  statements: Statements,
  path: string,
  hash: string,
  article: PreparedArticle,
): number {
  const key = Number(statements.insert.run(rowOf(path, hash, article)).lastInsertRowid)
  const { tags, terms, collection, locale } = article
  for (const tag of tags) statements.insertTag.run(tag, collection, locale, key)
  statements.insertMarkdown.run(key, article.markdown)
  if (terms === null) return key
  statements.insertArticleTerms.run(key, terms.join(' '))
  for (const term of terms) statements.insertTerm.run(term, collection, locale, key)
  return key
}

function removeArticle(statements: Statements, { key, collection, locale }: StoredArticle): void {
  statements.remove.run(key)
  statements.removeTags.run(key)
  statements.removeMarkdown.run(key)
  for (const term of statements.articleTerms.get(key)?.terms.split(' ') ?? [])
    statements.removeTerm.run(term, collection, locale, key)
  statements.removeArticleTerms.run(key)
}

/** Finds the articles that may show one as related. */
function createRelatedTags(db: Connection): (article: ArticleKey) => string[] {
  const findRelated = createRelatedFinder(db)
  return ({ collection, id, locale }) =>
    relatedCollections.includes(collection)
      ? findRelated(collection, id, [locale], maxPurgedNeighbors).map(
          (related) => `${collection}/${related}`,
        )
      : []
}

/**
 * Finds the articles before and after one by date, in every language that may show the text. Also
 * for a text that was removed: its languages may now show another one, with another date.
 */
function createNeighborTags(db: Connection): (article: ArticleKey) => string[] {
  const lists = createListQueries(db)
  return ({ collection, id, locale }) => {
    if (!datedCollections.includes(collection)) return []
    const chains = allLocales.map(({ fallback }) => fallback)
    return chains
      .filter((chain) => chain.includes(locale))
      .flatMap((chain) => {
        const entry = lists.byId({ collection, chain }, id)
        if (!entry) return []
        const { previous, next } = lists.neighbors(entry, chain)
        return [previous, next].flatMap((near) => (near ? [`${collection}/${near.id}`] : []))
      })
  }
}

/** Surrogate tags of everything that shows an article. */
const surrogateTags = ({ collection, id }: Pick<ArticleKey, 'collection' | 'id'>): string[] => [
  collection,
  `${collection}/${id}`,
]

/** Writes compiled articles. Every change returns the surrogate tags to purge (spec 8.5). */
export function createArticleWriter(db: Connection) {
  const statements = prepareStatements(db)
  const search = createSearchIndexWriter(db)
  const tagsOfRelated = createRelatedTags(db)
  const tagsOfNeighbors = createNeighborTags(db)
  /** Texts that were written, removed or published since they were last asked for. */
  const changed = new Map<string, ArticleKey>()
  const noteChange = ({ collection, id, locale }: ArticleKey): void =>
    void changed.set(`${collection}/${id}/${locale}`, { collection, id, locale })

  function removeByPath(path: string): StoredArticle | null {
    const stored = statements.findByPath.get(path)
    if (!stored) return null
    removeArticle(statements, stored)
    noteChange(stored)
    search.remove(stored.key, stored.locale)
    return stored
  }

  /**
   * Surrogate tags of articles that may show the changed ones from now on: their pages do not have
   * the tags of those yet. Before the first generation there are no such pages.
   */
  function tagsOfNewLinks(changedArticles: readonly ArticleKey[]): string[] {
    if (readGeneration(db) === 0) return []
    return changedArticles.length > maxIndividualPurges
      ? [...new Set(changedArticles.map(({ collection }) => relatedTag(collection)))]
      : changedArticles.flatMap((key) => [...tagsOfRelated(key), ...tagsOfNeighbors(key)])
  }

  return {
    save(path: string, hash: string, article: PreparedArticle): string[] {
      removeByPath(path)
      const key = insertArticle(statements, path, hash, article)
      noteChange(article)
      search.save(key, article.locale, article.tokens)
      // Pages of the other parts of a series list this one, but do not have its tag yet.
      return article.series === null
        ? surrogateTags(article)
        : [...surrogateTags(article), `series:${article.series}`]
    },
    remove(path: string): string[] {
      const removed = removeByPath(path)
      return removed ? surrogateTags(removed) : []
    },
    /** Publishes scheduled articles whose time has come. */
    publishDue(now: number): string[] {
      const published = statements.dueArticles.all(now)
      for (const text of published) {
        statements.publish.run(text.key)
        noteChange(text)
      }
      return published.flatMap(surrogateTags)
    },
    tagsOfNewLinks,
    /** Texts that have changed; each change is returned once. */
    takeChanged(): ArticleKey[] {
      const taken = [...changed.values()]
      changed.clear()
      return taken
    },
    /** Time of the next scheduled publication (ms since 1970), or null. */
    nextPublication: (): number | null => statements.nextPublication.get()?.at ?? null,
  }
}
