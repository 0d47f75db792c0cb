import type { Collection } from '../../../shared/content'
import type { LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'

/** What more articles than this bear says little, and costs the more: such terms are left out, and of such a tag only the newest articles count. */
const common = { term: 200, tag: 200, newest: 40 }
/** An author who gives two articles one tag means that they belong together: that weighs as much as some shared words besides. */
const tagWorth = 3
/** Without a shared tag so many terms must be shared: one or two may be chance. */
const fewestTerms = 3
/** Articles that are looked at closely, best first. */
const looked = 30
const mostLooked = 300

type Candidate = { score: number; terms: number; tagged: boolean }
type Row = { id: string; date: string | null }

/**
 * Articles that belong to one, by shared tags and by shared terms of their texts; what fewer articles have counts for more (inverse document
 * frequency), and among equals the newer stands first. `chain` = languages in which texts are looked for, as the page's visitor sees them. Answers
 * ids, best first. The same for the same articles, and bounded: what it reads does not grow with the number of articles.
 */
export function createRelated(
  db: Connection,
): (collection: Collection, id: string, chain: readonly LocaleCode[], limit: number) => string[] {
  const version = db.prepare<[string, string, string], { key: number }>(
    'SELECT key FROM articles WHERE collection = ? AND id = ? AND locale = ? AND live = 1',
  )
  const termsOf = db.prepare<[number], { terms: string }>(
    'SELECT terms FROM article_terms WHERE article = ?',
  )
  const bearing = db.prepare<[string, string, string], { article: number }>(
    `SELECT article FROM terms WHERE term = ? AND collection = ? AND locale = ? LIMIT ${common.term + 1}`,
  )
  const tagsOf = db.prepare<[number], { tag: string }>(
    'SELECT tag FROM tags WHERE article = ? ORDER BY tag',
  )
  const tagged = db.prepare<[string, string, string], { article: number }>(
    `SELECT t.article FROM tags t JOIN articles a ON a.key = t.article WHERE t.tag = ? AND a.collection = ? AND a.locale = ? AND a.live = 1 LIMIT ${common.tag + 1}`,
  )
  const newest = db.prepare<[string, string, string], { article: number }>(
    `SELECT a.key AS article FROM articles a WHERE a.collection = ? AND a.live = 1 AND a.locale = ? AND EXISTS (SELECT 1 FROM tags t WHERE t.tag = ? AND t.article = a.key) ORDER BY a.date DESC, a.id LIMIT ${common.newest}`,
  )
  const written = db.prepare<[string, string], { own: number }>(
    "SELECT own FROM outline WHERE collection = ? AND locale = ? AND category = '' AND tag = ''",
  )
  const row = db.prepare<[number], Row>('SELECT id, date FROM articles WHERE key = ? AND live = 1')

  function score(
    candidates: Map<number, Candidate>,
    key: number,
    worth: number,
    isTag: boolean,
  ): void {
    const candidate = candidates.get(key) ?? { score: 0, terms: 0, tagged: false }
    candidate.score += worth
    if (isTag) candidate.tagged = true
    else candidate.terms += 1
    candidates.set(key, candidate)
  }

  /** Articles of one language that share something with a text of that language, and with the tags of any. */
  function candidatesIn(
    collection: Collection,
    locale: LocaleCode,
    key: number | undefined,
    tags: ReadonlySet<string>,
  ): Map<number, Candidate> {
    const candidates = new Map<number, Candidate>()
    const total = written.get(collection, locale)?.own ?? 0
    const rarity = (count: number): number => Math.log1p(Math.max(0, total - count) / (count + 1))
    for (const term of (key === undefined ? '' : (termsOf.get(key)?.terms ?? ''))
      .split(' ')
      .filter(Boolean)) {
      const articles = bearing.all(term, collection, locale)
      if (articles.length > common.term) continue
      for (const { article } of articles) score(candidates, article, rarity(articles.length), false)
    }
    for (const tag of tags) {
      const few = tagged.all(tag, collection, locale)
      const many = few.length > common.tag
      for (const { article } of many ? newest.all(collection, locale, tag) : few)
        score(candidates, article, tagWorth + (many ? 0 : rarity(few.length)), true)
    }
    return candidates
  }

  return function related(collection, id, chain, limit) {
    const keys = new Map(
      chain.flatMap((locale) =>
        version.all(collection, id, locale).map(({ key }) => [locale, key] as const),
      ),
    )
    const tags = new Set([...keys.values()].flatMap((key) => tagsOf.all(key).map(({ tag }) => tag)))
    const best = new Map<string, Row & { score: number }>()
    for (const locale of chain) {
      const found = [...candidatesIn(collection, locale, keys.get(locale), tags)]
        .filter(([, { tagged: shares, terms }]) => shares || terms >= fewestTerms)
        .sort(([, a], [, b]) => b.score - a.score)
      // All that are as good as the last one that is looked at: dates and ids decide among them, not the order in which they were compiled.
      const least = found[Math.min(found.length, looked + limit) - 1]?.[1].score ?? 0
      for (const [key, candidate] of found.slice(0, mostLooked)) {
        if (candidate.score < least) break
        const about = row.get(key)
        if (!about || about.id === id || (best.get(about.id)?.score ?? -1) >= candidate.score)
          continue
        best.set(about.id, { ...about, score: candidate.score })
      }
    }
    return [...best.values()]
      .sort(
        (a, b) =>
          b.score - a.score ||
          ((a.date ?? '') < (b.date ?? '')
            ? 1
            : (a.date ?? '') > (b.date ?? '')
              ? -1
              : a.id < b.id
                ? -1
                : 1),
      )
      .slice(0, limit)
      .map((found) => found.id)
  }
}
