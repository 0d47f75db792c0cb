import type { LocaleCode } from '../../shared/i18n/locales'
import type { Connection } from '../content/database'
import { searchTable } from '../content/tables'
import { createCorrector } from './correct-word'
import {
  allOf,
  anyOf,
  inCollections,
  inTitle,
  inTitleOrHeadings,
  matchExactly,
  matchLoosely,
  type CollectionFilter,
} from './match-expression'
import { significantTerms, type Query, type Term } from './read-query'

type CandidateRequest = {
  query: Query
  locale: LocaleCode
  collections: CollectionFilter
  /** With this many candidates, looser ways of matching are not tried. */
  enough: number
  /** At most this many are shown, so candidates that would rank after them are not searched for. */
  maxShown: number
  /** Only pages whose title, headings or id match. */
  namesOnly: boolean
}
/**
 * `key`: row number in the index. `stage`: how loosely it was matched, 0 being as typed. `score`:
 * the index's own ranking, higher is better; comparable within a stage.
 */
export type Candidate = { key: number; inTitle: boolean; stage: number; score: number }
type Candidates = {
  candidates: Candidate[]
  /** By mistyped word. */
  corrections: ReadonlyMap<string, readonly string[]>
}
type Row = { key: number; score: number }
type Statements = ReturnType<typeof prepareStatements>
type Correct = ReturnType<typeof createCorrector>

/** Weights of title, headings, summary and body in the index's ranking function (BM25). */
const weights = '10, 4, 3, 1, 0'
/** For questions: the headings of a long page together contain the words of many questions. */
const questionWeights = '10, 2, 3, 1, 0'
/**
 * Each statement returns at most this many rows, the newest. Without a limit, a word that is on
 * every page would make the search slow.
 */
const maxTitleRows = 150
const maxTextRows = 300

/** A word is common if at least half of this many newest pages contain it. */
const maxSampledRows = 600

/** How a candidate was found, from strict to loose. */
const stages = { whole: 0, terms: 1, corrected: 2, allButOne: 3, anyTerm: 4 }
/** A query of at least this many significant terms is a question. */
const minQuestionTerms = 3
/** Factor for pages that contain all terms of a question, corrected or with another ending. */
const completenessBonus = 1.15
/** With more terms, leaving out each in turn is not tried: looking for any of them finds enough. */
const maxTermsLeftOut = 5

function prepareStatements(db: Connection, locale: LocaleCode) {
  const table = searchTable(locale)
  return {
    ranked: db.prepare<[string, number], Row>(
      `SELECT rowid AS key, bm25(${table}, ${weights}) AS score FROM ${table}
       WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?`,
    ),
    match: db.prepare<[string, number], Row>(
      `SELECT rowid AS key, 0 AS score FROM ${table}
       WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?`,
    ),
    // BM25 limits what one word can add to the score: a word that the text often repeats adds as
    // much as a word of the title. The second term, the score of the title alone, puts the title
    // first.
    rankedForQuestion: db.prepare<[string, number], Row>(
      `SELECT rowid AS key,
         bm25(${table}, ${questionWeights}) + bm25(${table}, 1, 0, 0, 0, 0) AS score
       FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?`,
    ),
    sample: db.prepare<[number], { firstKey: number; size: number }>(
      `SELECT coalesce(min(rowid), 0) AS firstKey, count(*) AS size
       FROM (SELECT rowid FROM ${table} ORDER BY rowid DESC LIMIT ?)`,
    ),
    nthMatch: db.prepare<[string, number], { key: number }>(
      `SELECT rowid AS key FROM ${table}
       WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?`,
    ),
    hasMatch: db.prepare<[string], { rowid: number }>(
      `SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT 1`,
    ),
  }
}

/**
 * Collects candidates. A page that is found at several stages keeps the first, which is the
 * strictest. For a question, scores stay 0 until `rankQuestion` computes them all at the end: the
 * ranking function reads every row of each word, which would take too long at every stage.
 */
function createCollector(statements: Statements, request: CandidateRequest, isQuestion: boolean) {
  const { collections, maxShown, namesOnly } = request
  const statement = isQuestion ? statements.match : statements.ranked
  const candidates: Candidate[] = []
  const seen = new Set<number>()
  let titleCount = 0

  function add(match: string, isTitle: boolean, stage: number): void {
    const limit = isTitle ? maxTitleRows : maxTextRows
    for (const { key, score } of statement.all(inCollections(match, collections), limit)) {
      if (seen.has(key)) continue
      seen.add(key)
      if (isTitle) titleCount += 1
      candidates.push({ key, inTitle: isTitle, stage, score: -score })
    }
  }

  return {
    candidates,
    /** Titles rank before texts, and earlier stages before later ones. */
    collect(expression: string, stage: number): void {
      if (titleCount < maxShown) add(inTitle(expression), true, stage)
      if (candidates.length < maxShown)
        add(namesOnly ? inTitleOrHeadings(expression) : expression, false, stage)
    },
  }
}

/**
 * Tells whether at least half of the newest pages contain a term. The ranking function gives such a
 * term next to no weight, and reading its rows takes the longest.
 */
function createCommonTermTest({ sample, nthMatch }: Statements): (term: Term) => boolean {
  const { firstKey, size } = sample.get(maxSampledRows) ?? { firstKey: 0, size: 0 }
  const half = Math.max(1, Math.ceil(size / 2))
  const isInHalf = (expression: string): boolean => {
    const match = nthMatch.get(expression, half - 1)
    return match !== undefined && match.key >= firstKey
  }
  return (term) => {
    // The word itself is looked up first, because that is fast. To look up all words that begin
    // with it, SQLite reads every row that has one of them, even if only one row is wanted.
    const [finished, asTyped] = [matchExactly({ ...term, unfinished: false }), matchExactly(term)]
    return isInHalf(finished) || (asTyped !== finished && isInHalf(asTyped))
  }
}

/** Corrections of the terms that no page contains. */
function findCorrections(
  { hasMatch }: Statements,
  correct: Correct,
  terms: readonly Term[],
  locale: LocaleCode,
): Map<string, readonly string[]> {
  const missing = terms.filter((term) => !hasMatch.get(matchExactly(term)))
  return new Map(missing.map((term) => [term.text, correct(term, locale)]))
}

/**
 * Returns one expression for each term of a question that is not common: words such as "the" do not
 * tell which page answers. If no page contains any of those terms, returns expressions for all.
 */
function matchTellingTerms(
  statements: Statements,
  collections: CollectionFilter,
  terms: readonly Term[],
  corrections: ReadonlyMap<string, readonly string[]>,
): string[] {
  const isCommon = createCommonTermTest(statements)
  const telling = terms.filter((term) => !isCommon(term))
  const expressions = telling.map((term) => matchLoosely(term, corrections.get(term.text) ?? []))
  if (expressions.length === 0) return terms.map(matchExactly)
  // Each alone, because the first mostly has a match, and then the others are not looked up.
  const isFound = expressions.some((expression) =>
    statements.hasMatch.get(inCollections(expression, collections)),
  )
  return isFound ? expressions : terms.map(matchExactly)
}

/**
 * Ranks the candidates of a question by how much its words weigh together. For "why is my proxy not
 * connecting" a page about a proxy that does not connect answers more than a long page that
 * contains all six words by chance. A page without all terms is added if it scores at least half
 * as much as the best.
 */
function rankQuestion(candidates: readonly Candidate[], rows: readonly Row[]): Candidate[] {
  const scores = new Map(rows.map(({ key, score }) => [key, -score]))
  const minScore = Math.max(...scores.values(), 0) / 2
  const complete = new Map(
    candidates.filter(({ stage }) => stage <= stages.corrected).map((entry) => [entry.key, entry]),
  )
  // Pages beyond the number of ranked rows follow in the order in which they were found.
  const ranked = [...complete.values()]
    .filter(({ key }) => !scores.has(key))
    .map((entry) => ({ ...entry, inTitle: false, stage: stages.corrected }))
  for (const [key, score] of scores) {
    const found = complete.get(key)
    if (found) ranked.push({ ...found, stage: 0, score: score * completenessBonus })
    else if (score >= minScore) ranked.push({ key, inTitle: false, stage: 0, score })
  }
  return ranked
}

function findCandidates(
  statements: Statements,
  correct: Correct,
  request: CandidateRequest,
): Candidates {
  const { query, locale, enough, namesOnly, collections } = request
  const terms = significantTerms(query.terms)
  const isQuestion = !namesOnly && terms.length >= minQuestionTerms
  const collector = createCollector(statements, request, isQuestion)
  const { candidates } = collector
  collector.collect(allOf(query.whole.map(matchExactly)), stages.whole)
  if (query.whole.length !== query.terms.length)
    collector.collect(allOf(query.terms.map(matchExactly)), stages.terms)

  const isEnough = candidates.length >= enough
  const corrections = isEnough
    ? new Map<string, readonly string[]>()
    : findCorrections(statements, correct, terms, locale)
  const loose = isQuestion
    ? matchTellingTerms(statements, collections, terms, corrections)
    : terms.map((term) => matchLoosely(term, corrections.get(term.text) ?? []))
  if (!isEnough) {
    collector.collect(allOf(loose), stages.corrected)
    if (candidates.length === 0 && loose.length > 2 && loose.length <= maxTermsLeftOut)
      collector.collect(
        anyOf(loose.map((_, left) => `(${allOf(loose.toSpliced(left, 1))})`)),
        stages.allButOne,
      )
    if (candidates.length === 0 && loose.length > 1) collector.collect(anyOf(loose), stages.anyTerm)
  }
  if (!isQuestion) return { candidates, corrections }

  const rank = (expression: string): Row[] =>
    statements.rankedForQuestion.all(inCollections(expression, collections), maxTextRows)
  const complete = candidates.filter(({ stage }) => stage <= stages.corrected).length
  const rows = [
    ...(complete > 0 ? rank(allOf(loose)) : []),
    ...(complete < enough ? rank(anyOf(loose)) : []),
  ]
  return { candidates: rankQuestion(candidates, rows), corrections }
}

/**
 * Finds pages that match a query in one language. The strictest way is tried first: every term as
 * typed, in the title, then anywhere; then with other endings and corrected typing mistakes; and
 * only where that finds nothing, all terms except one, then any of them (decision 43).
 */
export function createCandidateFinder(db: Connection): (request: CandidateRequest) => Candidates {
  const statements = new Map<LocaleCode, Statements>()
  const correct = createCorrector(db)
  return (request) => {
    const { locale } = request
    const prepared = statements.get(locale) ?? prepareStatements(db, locale)
    statements.set(locale, prepared)
    return findCandidates(prepared, correct, request)
  }
}
