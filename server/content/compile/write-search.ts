import type Database from 'better-sqlite3'
import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import { indexText } from '../search-text'

/** What of a page can be found, most telling first. `place` is its collection. */
export type SearchFields = {
  title: string
  headings: string
  about: string
  body: string
  place: string
}

/** Words that a typing mistake may have meant: Latin or Cyrillic, neither too short nor made up of digits. */
const correctable = /^[\p{Script=Latin}\p{Script=Cyrillic}]{4,24}$/u
/** A language's words, at most: enough for every dictionary, and a bound for what is compared with a mistake. */
const vocabularyLimit = 200_000

/** Name of a language's full-text table. */
export const searchTable = (locale: LocaleCode): string => `search_${locale}`

/**
 * Writes the full-text index: one table a language, so that a search meets no other language's rows and counts words within one.
 * Row numbers are keys of `articles`; those of `search_pages` are negative.
 */
export function createSearchWriter(db: Database.Database) {
  const insert = new Map(
    localeCodes.map((code) => [
      code,
      db.prepare(
        `INSERT INTO ${searchTable(code)} (rowid, title, headings, about, body, place) VALUES (?, ?, ?, ?, ?, ?)`,
      ),
    ]),
  )
  const drop = new Map(
    localeCodes.map((code) => [
      code,
      db.prepare(`DELETE FROM ${searchTable(code)} WHERE rowid = ?`),
    ]),
  )
  const addWord = db.prepare('INSERT OR IGNORE INTO vocabulary (locale, word) VALUES (?, ?)')
  const wordsOf = db.prepare<[string], { word: string }>(
    'SELECT word FROM vocabulary WHERE locale = ?',
  )
  const vocabulary = new Map<LocaleCode, Set<string>>()

  /** Words are only ever added: one that no text holds any more costs a look-up and is not offered. */
  function learn(locale: LocaleCode, tokens: string): void {
    const words = vocabulary.get(locale) ?? new Set(wordsOf.all(locale).map(({ word }) => word))
    vocabulary.set(locale, words)
    for (const word of tokens.split(' ')) {
      if (words.has(word) || words.size >= vocabularyLimit || !correctable.test(word)) continue
      words.add(word)
      addWord.run(locale, word)
    }
  }

  return {
    save(
      key: number,
      locale: LocaleCode,
      { title, headings, about, body, place }: SearchFields,
    ): void {
      const columns = [title, headings, about, body].map((text) => indexText(text, locale))
      insert.get(locale)?.run(key, ...columns, place)
      for (const tokens of columns) learn(locale, tokens)
    },
    remove(key: number, locale: LocaleCode): void {
      drop.get(locale)?.run(key)
    },
  }
}
