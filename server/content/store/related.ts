import type { Collection } from '../../../shared/front-matter'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'
import type { Chain } from './entry'

/** Collections whose articles show related ones. */
export const relatedCollections: readonly Collection[] = ['blog', 'news', 'guide', 'helps', 'docs']
/** Collections whose articles lead to the ones before and after by date. */
export const datedCollections: readonly Collection[] = ['blog', 'news', 'release', 'partner']
/**
 * Surrogate tag of every page of a collection that shows other articles: related ones, or those
 * before and after by date.
 */
export const relatedTag = (collection: Collection): string => `related:${collection}`

/**
 * A term that more articles share says little and costs more to compare, so it is ignored. Of a tag
 * that more articles have, only the newest count.
 */
const maxArticlesPerTerm = 200
const maxArticlesPerTag = 200
const newestPerCommonTag = 40
/** A shared tag is an author's decision; it weighs as much as some shared terms. */
const tagWeight = 3
/** Without a shared tag this many terms must be shared: one or two may be chance. */
const minSharedTerms = 3
/** Candidates looked up per language besides the limit. Equal scores can add more, up to a max. */
const lookedUp = 30
const maxLookedUp = 300

type Candidate = { score: number; sharedTerms: number; sharesTag: boolean }
type Candidates = Map<number, Candidate>
type RankedEntry = { id: string; date: string | null; score: number }
type Queries = ReturnType<typeof prepareQueries>

/**
 * For each term or tag, one JSON array of the keys of its articles is returned: there may be
 * thousands, and a row for each would take longer to read. The plus in `= +?` spares SQLite from
 * preparing the statement again at each call (why: `list-queries.ts`).
 */
function prepareQueries(db: Connection) {
  const withTerm = `SELECT article FROM terms
    WHERE term = wanted.value AND collection = @collection AND locale = @locale`
  return {
    keyOf: db.prepare<[string, string, string], { key: number }>(
      'SELECT key FROM articles WHERE collection = ? AND id = ? AND locale = ? AND live = 1',
    ),
    termsOf: db.prepare<[number], { terms: string }>(
      'SELECT terms FROM article_terms WHERE article = ?',
    ),
    /**
     * A row for each of `terms` (a JSON array), in its order; null where too many articles share
     * it.
     */
    articlesWithTerms: db
      .prepare<{ terms: string; collection: string; locale: string }, string | null>(
        `SELECT CASE WHEN (${withTerm} LIMIT 1 OFFSET ${maxArticlesPerTerm}) IS NULL
           THEN (SELECT json_group_array(article) FROM (${withTerm}))
         END FROM json_each(@terms) wanted`,
      )
      .pluck(),
    tagsOf: db.prepare<[number], { tag: string }>(
      'SELECT tag FROM tags WHERE article = +? ORDER BY tag',
    ),
    articlesWithTag: db
      .prepare<[string, string, string], string>(
        `SELECT json_group_array(article) FROM (
           SELECT article FROM tags WHERE tag = ? AND collection = ? AND locale = ?
           LIMIT ${maxArticlesPerTag + 1}
         )`,
      )
      .pluck(),
    newestWithTag: db
      .prepare<[string, string, string], string>(
        `SELECT json_group_array(key) FROM (
           SELECT a.key FROM articles a
           WHERE a.collection = +? AND a.live = 1 AND a.locale = +?
           AND EXISTS (SELECT 1 FROM tags t WHERE t.tag = ? AND t.article = a.key)
           ORDER BY a.date DESC, a.id LIMIT ${newestPerCommonTag}
         )`,
      )
      .pluck(),
    articleCount: db.prepare<[string, string], { translated: number }>(
      `SELECT translated FROM outline
       WHERE collection = ? AND locale = ? AND category = '' AND tag = ''`,
    ),
    /** The published articles among those whose keys are given as a JSON array. */
    articles: db.prepare<[string], { key: number; id: string; date: string | null }>(
      `SELECT key, id, date FROM articles
       WHERE key IN (SELECT value FROM json_each(?)) AND live = 1`,
    ),
  }
}

/** Parses a JSON array of keys. The cast: the statements above put nothing else into it. */
const parseKeys = (json = '[]'): number[] => JSON.parse(json) as number[]

function addScore(candidates: Candidates, key: number, weight: number, isTag: boolean): void {
  const candidate = candidates.get(key) ?? { score: 0, sharedTerms: 0, sharesTag: false }
  candidate.score += weight
  if (isTag) candidate.sharesTag = true
  else candidate.sharedTerms += 1
  candidates.set(key, candidate)
}

/**
 * Scores the articles of one language that share terms with the article `key` (its text in that
 * language, where there is one) or one of the tags. What fewer articles have counts for more
 * (inverse document frequency).
 */
function scoreCandidates(
  queries: Queries,
  collection: Collection,
  locale: LocaleCode,
  key: number | undefined,
  tags: ReadonlySet<string>,
): Candidates {
  const candidates: Candidates = new Map()
  const total = queries.articleCount.get(collection, locale)?.translated ?? 0
  const rarity = (count: number): number => Math.log1p(Math.max(0, total - count) / (count + 1))
  const terms = key === undefined ? '' : (queries.termsOf.get(key)?.terms ?? '')
  const scope = { collection, locale, terms: JSON.stringify(terms.split(' ').filter(Boolean)) }
  for (const json of queries.articlesWithTerms.all(scope)) {
    if (json === null) continue
    const articles = parseKeys(json)
    const weight = rarity(articles.length)
    for (const article of articles) addScore(candidates, article, weight, false)
  }
  for (const tag of tags) {
    const articles = parseKeys(queries.articlesWithTag.get(tag, collection, locale))
    const isCommon = articles.length > maxArticlesPerTag
    const counted = isCommon
      ? parseKeys(queries.newestWithTag.get(collection, locale, tag))
      : articles
    const weight = tagWeight + (isCommon ? 0 : rarity(articles.length))
    for (const article of counted) addScore(candidates, article, weight, true)
  }
  return candidates
}

/** Looks up the best candidates of one language and keeps the better score of each entry. */
function collectBest(
  queries: Queries,
  candidates: Candidates,
  excludedId: string,
  limit: number,
  best: Map<string, RankedEntry>,
): void {
  const sorted = [...candidates]
    .filter(([, { sharesTag, sharedTerms }]) => sharesTag || sharedTerms >= minSharedTerms)
    .sort(([, a], [, b]) => b.score - a.score)
  // All that score as high as the last one looked up are included: dates and ids decide among
  // them, not the order in which they were compiled.
  const minScore = sorted[Math.min(sorted.length, lookedUp + limit) - 1]?.[1].score ?? 0
  const scores = new Map(
    sorted
      .slice(0, maxLookedUp)
      .filter(([, { score }]) => score >= minScore)
      .map(([key, { score }]) => [key, score]),
  )
  for (const { key, id, date } of queries.articles.all(JSON.stringify([...scores.keys()]))) {
    const score = scores.get(key) ?? 0
    if (id !== excludedId && (best.get(id)?.score ?? -1) < score) best.set(id, { id, date, score })
  }
}

/** The higher score first, then the newer, then by id. */
function compareRanked(a: RankedEntry, b: RankedEntry): number {
  const [dateA, dateB] = [a.date ?? '', b.date ?? '']
  if (a.score !== b.score) return b.score - a.score
  if (dateA !== dateB) return dateA < dateB ? 1 : -1
  return a.id < b.id ? -1 : 1
}

/**
 * Finds articles that are related to one by shared tags and by shared terms of their texts, in the
 * languages of a chain. Returns ids, best first. The result depends on the articles only, and the
 * number of rows it reads does not grow with the number of articles.
 */
export function createRelatedFinder(
  db: Connection,
): (collection: Collection, id: string, chain: Chain, limit: number) => string[] {
  const queries = prepareQueries(db)
  return (collection, id, chain, limit) => {
    const keys = new Map(
      chain.flatMap((locale) =>
        queries.keyOf.all(collection, id, locale).map(({ key }) => [locale, key] as const),
      ),
    )
    const tags = new Set(
      [...keys.values()].flatMap((key) => queries.tagsOf.all(key).map(({ tag }) => tag)),
    )
    const best = new Map<string, RankedEntry>()
    for (const locale of chain) {
      const candidates = scoreCandidates(queries, collection, locale, keys.get(locale), tags)
      collectBest(queries, candidates, id, limit, best)
    }
    return [...best.values()]
      .sort(compareRanked)
      .slice(0, limit)
      .map((entry) => entry.id)
  }
}
