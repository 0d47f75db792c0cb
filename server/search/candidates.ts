import { localeCodes, type LocaleCode } from '../../shared/i18n/locales'
import type { Connection } from '../content/database'
import { searchTable } from '../content/write-search'
import { createCorrector } from './correct-word'
import { allOf, anyOf, inNames, inPlaces, inTitle, loosely, strictly, type Places } from './match-expression'
import { isTelling, type Query } from './read-query'

type Wanted = { query: Query; locale: LocaleCode; places: Places; /** With so many, looser ways of matching are not tried. */ enough: number; /** With so many, what would stand behind them is not looked for. */ shown: number; /** Only pages whose title, headings or id fit. */ named: boolean }
export type Candidates = { /** `titled` = the title fits; `stage` = how loosely (0 = as typed); `score` = the index's own, the higher the better, comparable within a stage. */ keys: Array<{ key: number; titled: boolean; stage: number; score: number }>; /** By the mistyped word. */ corrections: ReadonlyMap<string, readonly string[]> }
type Row = { key: number; score: number }

/** What a title, a heading, a description and a text weigh in the index's own ranking (BM25). */
const weights = '10, 4, 3, 1, 0'
/** Rows that are ranked, newest first: a word that every page holds must not make a search slow. */
const most = { title: 150, text: 300 }

/** Leaving out one term in turn is tried up to so many: with more, any of them finds enough. */
const mostCombined = 5

/**
 * Pages that fit a query in one language. Strictest way first: every term as typed, in the title, then anywhere; then
 * with other endings and typing mistakes mended; only where that finds nothing, all terms but one, then any of them.
 */
export function createCandidates(db: Connection): (wanted: Wanted) => Candidates {
  const statements = new Map(localeCodes.map((code) => {
    const table = searchTable(code)
    return [code, {
      ranked: db.prepare<[string, number], Row>(`SELECT rowid AS key, bm25(${table}, ${weights}) AS score FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ?`),
      any: db.prepare<[string], { rowid: number }>(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? LIMIT 1`),
    }]
  }))
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
        for (const { key, score } of statement?.ranked.all(inPlaces(match, places), titled ? most.title : most.text) ?? []) {
          if (seen.has(key)) continue
          seen.add(key)
          if (titled) titles += 1
          keys.push({ key, titled, stage, score: -score })
        }
      }
    }
    const { whole, terms } = query
    take(allOf(whole.map(strictly)), 0)
    if (whole.length !== terms.length) take(allOf(terms.map(strictly)), 1)
    if (keys.length < enough) {
      const telling = terms.some(isTelling) ? terms.filter(isTelling) : terms
      for (const term of telling) if (!statement?.any.get(strictly(term))) corrections.set(term.text, correct(term, locale))
      const loose = telling.map((term) => loosely(term, corrections.get(term.text) ?? []))
      take(allOf(loose), 2)
      if (keys.length === 0 && loose.length > 2 && loose.length <= mostCombined) take(anyOf(loose.map((_, left) => `(${allOf(loose.filter((__, index) => index !== left))})`)), 3)
      if (keys.length === 0 && loose.length > 1) take(anyOf(loose), 4)
    }
    return { keys, corrections }
  }
}
