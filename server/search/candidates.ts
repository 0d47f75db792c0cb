import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'
import type { Connection } from '../content/database'
import { searchTable } from '../content/compile/write-search'
import { createCorrector } from './correct-word'
import {
  allOf,
  anyOf,
  inNames,
  inPlaces,
  inTitle,
  loosely,
  strictly,
  type Places,
} from './match-expression'
import { isTelling, type Query } from './read-query'

type Wanted = {
  query: Query
  locale: LocaleCode
  places: Places
  /** With so many, looser ways of matching are not tried. */ enough: number
  /** With so many, what would stand behind them is not looked for. */ shown: number
  /** Only pages whose title, headings or id fit. */ named: boolean
}
export type Candidates = {
  /** `titled` = the title fits; `stage` = how loosely (0 = as typed); `score` = the index's own, the higher the better, comparable within a stage. */ keys: Array<{
    key: number
    titled: boolean
    stage: number
    score: number
  }>
  /** By the mistyped word. */ corrections: ReadonlyMap<string, readonly string[]>
}
type Row = { key: number; score: number }

/** What a title, a heading, a description and a text weigh in the index's own ranking (BM25). */
const weights = '10, 4, 3, 1, 0'
/** Rows that are ranked, newest first: a word that every page holds must not make a search slow. */
const most = { title: 150, text: 300 }

/** From so many telling words on, somebody asks a question, and not every word of it stands in its answer. A page that has them all counts for more. */
const wordsOfQuestion = 3
const completeness = 1.15
/** Headings of a long page together hold the words of many questions, so they count for less there. */
const weightsOfQuestion = '10, 2, 3, 1, 0'
/** The last way of matching in which every word is there, mended or with another ending. */
const mendedStage = 2

/** Leaving out one term in turn is tried up to so many: with more, any of them finds enough. */
const mostCombined = 5

/**
 * Puts what a question finds in one order, by how much its words weigh together: of "why is my proxy not connecting" a page about a proxy that does not connect
 * says more than a long one in which all six words happen to stand. What lacks a word joins in where it weighs at least half as much as the best.
 */
function weigh(keys: Candidates['keys'], rows: readonly Row[]): void {
  const scores = new Map(rows.map(({ key, score }) => [key, -score]))
  const best = Math.max(...scores.values(), 0)
  const whole = new Map(
    keys.filter(({ stage }) => stage <= mendedStage).map((entry) => [entry.key, entry]),
  )
  // Of more pages than are ranked, the older ones follow as they were found.
  const rest = [...whole.values()]
    .filter(({ key }) => !scores.has(key))
    .map((entry) => ({ ...entry, titled: false, stage: mendedStage }))
  keys.splice(0, keys.length, ...rest)
  for (const [key, score] of scores) {
    const complete = whole.get(key)
    if (complete || score >= best / 2)
      keys.push({
        key,
        titled: complete?.titled ?? false,
        stage: 0,
        score: complete ? score * completeness : score,
      })
  }
}

/**
 * Pages that fit a query in one language. Strictest way first: every term as typed, in the title, then anywhere; then
 * with other endings and typing mistakes mended; only where that finds nothing, all terms but one, then any of them.
 */
export function createCandidates(db: Connection): (wanted: Wanted) => Candidates {
  const statements = new Map(
    localeCodes.map((code) => {
      const table = searchTable(code)
      return [
        code,
        {
          ranked: db.prepare<[string, number], Row>(
            `SELECT rowid AS key, bm25(${table}, ${weights}) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?`,
          ),
          // A word counts less the more often it stands somewhere, whatever the weights, so a title would count no more than a text that repeats it: it is added.
          weighed: db.prepare<[string, number], Row>(
            `SELECT rowid AS key, bm25(${table}, ${weightsOfQuestion}) + bm25(${table}, 1, 0, 0, 0, 0) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?`,
          ),
          any: db.prepare<[string], { rowid: number }>(
            `SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT 1`,
          ),
        },
      ]
    }),
  )
  const correct = createCorrector(db)

  return function candidates({ query, locale, places, enough, shown, named }) {
    const statement = statements.get(locale)
    const keys: Candidates['keys'] = []
    const seen = new Set<number>()
    const corrections = new Map<string, readonly string[]>()
    let titles = 0
    const take = (expression: string, stage: number): void => {
      for (const titled of [true, false]) {
        // Titles stand before texts, and what was found before stands before what is found more loosely: behind so many nothing is ever shown.
        if ((titled ? titles : keys.length) >= shown) continue
        const match = titled ? inTitle(expression) : named ? inNames(expression) : expression
        for (const { key, score } of statement?.ranked.all(
          inPlaces(match, places),
          titled ? most.title : most.text,
        ) ?? []) {
          if (seen.has(key)) continue
          seen.add(key)
          if (titled) titles += 1
          keys.push({ key, titled, stage, score: -score })
        }
      }
    }
    const { whole, terms } = query
    const telling = terms.some(isTelling) ? terms.filter(isTelling) : terms
    take(allOf(whole.map(strictly)), 0)
    if (whole.length !== terms.length) take(allOf(terms.map(strictly)), 1)
    const mended = (): string[] =>
      telling.map((term) => loosely(term, corrections.get(term.text) ?? []))
    if (keys.length < enough) {
      for (const term of telling)
        if (!statement?.any.get(strictly(term))) corrections.set(term.text, correct(term, locale))
      const loose = mended()
      take(allOf(loose), 2)
      if (keys.length === 0 && loose.length > 2 && loose.length <= mostCombined)
        take(
          anyOf(loose.map((_, left) => `(${allOf(loose.filter((__, index) => index !== left))})`)),
          3,
        )
      if (keys.length === 0 && loose.length > 1) take(anyOf(loose), 4)
    }
    if (!named && telling.length >= wordsOfQuestion) {
      const weighed = (expression: string): Row[] =>
        statement?.weighed.all(inPlaces(expression, places), most.text) ?? []
      const complete = keys.filter(({ stage }) => stage <= mendedStage).length
      weigh(keys, [
        ...(complete > 0 ? weighed(allOf(mended())) : []),
        ...(complete < enough ? weighed(anyOf(mended())) : []),
      ])
    }
    return { keys, corrections }
  }
}
