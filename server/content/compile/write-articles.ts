import { createHash } from 'node:crypto'
import type { Collection } from '../../../shared/content'
import type { CompiledArticle } from './compile-article'
import { readGeneration, type Connection } from '../database'
import { createRelated } from '../store/related'
import { relatedCollections, relatedTag, relatedTerms } from '../related-terms'
import { createSearchWriter, type SearchFields } from './write-search'
import type { LocaleCode } from '../../../shared/i18n/locales'

type Known = { key: number; collection: Collection; id: string; locale: LocaleCode }

type Named = Pick<Known, 'collection' | 'id' | 'locale'>

/** Articles whose list of related ones is made anew when one like them is written: they show three, so those nearest to it come into question. */
const mostLeading = 12
/** More than so many at once and all lists of related articles are made anew: looking for the nearest of each would hold up the compiler. */
const manyWritten = 50

/** Writes compiled articles; every change answers the surrogate tags that it makes stale (decisions 8). */
export function createWriter(db: Connection) {
  const find = db.prepare<[string], Known>(
    'SELECT key, collection, id, locale FROM articles WHERE path = ?',
  )
  const insert =
    db.prepare(`INSERT INTO articles (collection, id, locale, path, hash, digest, title, description, date, updated, category, position, live, publish, minutes, front, html, headings, text, cover)
    VALUES (@collection, @id, @locale, @path, @hash, @digest, @title, @description, @date, @updated, @category, @position, @live, @publish, @minutes, @front, @html, @headings, @text, @cover)`)
  const drop = db.prepare('DELETE FROM articles WHERE key = ?')
  const dropTags = db.prepare('DELETE FROM tags WHERE article = ?')
  const addTag = db.prepare('INSERT OR IGNORE INTO tags VALUES (?, ?)')
  const addMarkdown = db.prepare('INSERT INTO markdown VALUES (?, ?)')
  const dropMarkdown = db.prepare('DELETE FROM markdown WHERE article = ?')
  const addTerms = db.prepare('INSERT INTO article_terms VALUES (?, ?)')
  const addTerm = db.prepare('INSERT INTO terms VALUES (?, ?, ?, ?)')
  const termsOf = db.prepare<[number], { terms: string }>(
    'SELECT terms FROM article_terms WHERE article = ?',
  )
  const dropTerms = db.prepare('DELETE FROM article_terms WHERE article = ?')
  const dropTerm = db.prepare(
    'DELETE FROM terms WHERE term = ? AND collection = ? AND locale = ? AND article = ?',
  )
  const related = createRelated(db)
  const search = createSearchWriter(db)
  const due = db.prepare<[number], Known>(
    'SELECT key, collection, id, locale FROM articles WHERE publish IS NOT NULL AND publish <= ? AND live = 0',
  )
  const publish = db.prepare('UPDATE articles SET live = 1, publish = NULL WHERE key = ?')
  const next = db.prepare<[], { at: number | null }>(
    'SELECT min(publish) AS at FROM articles WHERE publish IS NOT NULL AND live = 0',
  )

  const tagsOf = ({ collection, id }: Pick<Named, 'collection' | 'id'>): string[] => [
    collection,
    `${collection}/${id}`,
  ]
  /** Tags of those that may lead on to articles from now on: they never bore these articles' tags. Before the first generation nobody has shown anything. */
  function leadingTo(articles: readonly Named[]): string[] {
    const leading =
      readGeneration(db) > 0
        ? articles.filter(({ collection }) => relatedCollections.includes(collection))
        : []
    if (leading.length > manyWritten)
      return [...new Set(leading.map(({ collection }) => relatedTag(collection)))]
    return leading.flatMap(({ collection, id, locale }) =>
      related(collection, id, [locale], mostLeading).map((other) => `${collection}/${other}`),
    )
  }

  function forget(path: string): Known | null {
    const known = find.get(path)
    if (!known) return null
    drop.run(known.key)
    dropTags.run(known.key)
    search.remove(known.key, known.locale)
    dropMarkdown.run(known.key)
    for (const term of termsOf.get(known.key)?.terms.split(' ') ?? [])
      dropTerm.run(term, known.collection, known.locale, known.key)
    dropTerms.run(known.key)
    return known
  }

  return {
    save(path: string, hash: string, article: CompiledArticle): string[] {
      forget(path)
      const scheduled = article.publish !== null && article.publish > Date.now()
      const { lastInsertRowid } = insert.run({
        ...article,
        path,
        hash,
        // Of what came out, not of the file: `hash` knows when this machine wrote the pictures beside it.
        digest: createHash('sha256')
          .update(JSON.stringify(article))
          .digest('base64url')
          .slice(0, 22),
        live: article.draft || scheduled ? 0 : 1,
        // A draft never publishes itself, whatever its date says.
        publish: scheduled && !article.draft ? article.publish : null,
        front: JSON.stringify(article.front),
        headings: JSON.stringify(article.headings),
        cover: article.cover && JSON.stringify(article.cover),
      })
      for (const tag of article.tags) addTag.run(lastInsertRowid, tag)
      addMarkdown.run(lastInsertRowid, article.markdown)
      if (relatedCollections.includes(article.collection)) {
        const terms = relatedTerms(article)
        addTerms.run(lastInsertRowid, terms.join(' '))
        for (const term of terms)
          addTerm.run(term, article.collection, article.locale, lastInsertRowid)
      }
      search.save(Number(lastInsertRowid), article.locale, searchFields(article))
      // Its other parts show this one as soon as it is there, though they never bore its tag.
      return 'series' in article.front && article.front.series
        ? [...tagsOf(article), `series:${article.front.series}`]
        : tagsOf(article)
    },
    remove(path: string): string[] {
      const known = forget(path)
      return known ? tagsOf(known) : []
    },
    /** Makes public what its date has come for. */
    publishDue(now: number): string[] {
      const published = due.all(now)
      for (const { key } of published) publish.run(key)
      return [...published.flatMap(tagsOf), ...leadingTo(published)]
    },
    leadingTo,
    /** When the next scheduled article goes live (ms since 1970), or null. */
    nextPublication: (): number | null => next.get()?.at ?? null,
  }
}

/** Headings weigh more than text, so they are kept apart; words of a heading stand in the text as well. The id's words find a page whose address was mistyped. */
function searchFields({
  id,
  title,
  description,
  headings,
  tags,
  front,
  text,
  collection,
}: CompiledArticle): SearchFields {
  const keywords = front.seo_keywords ?? ''
  return {
    title,
    headings: [...headings.map((heading) => heading.text), id.replaceAll('-', ' ')].join('\n'),
    about: `${description}\n${tags.join(' ')}\n${keywords}`,
    body: text,
    place: collection,
  }
}
