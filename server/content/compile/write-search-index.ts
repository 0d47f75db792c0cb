import { localeCodes, type LocaleCode } from '../../../shared/i18n/locales'
import type { Connection } from '../database'
import { tokenizeForIndex } from '../search-text'
import { searchTable } from '../tables'

/** The searchable fields of a page, the most significant first. */
export type SearchFields = {
  title: string
  headings: string
  summary: string
  body: string
  collection: string
}
export type SearchIndexWriter = ReturnType<typeof createSearchIndexWriter>

/** The words of each field, separated by spaces, as the index stores them. */
export const tokenizeFields = (fields: SearchFields, locale: LocaleCode): SearchFields => ({
  title: tokenizeForIndex(fields.title, locale),
  headings: tokenizeForIndex(fields.headings, locale),
  summary: tokenizeForIndex(fields.summary, locale),
  body: tokenizeForIndex(fields.body, locale),
  collection: fields.collection,
})

/** Words that can correct a typing mistake: Latin or Cyrillic, not too short, without digits. */
const vocabularyWord = /^[\p{Script=Latin}\p{Script=Cyrillic}]{4,24}$/u
/** Per language: enough for any dictionary, and a bound for what a mistake is compared with. */
const maxVocabulary = 200_000

const prepareStatements = (db: Connection, locale: LocaleCode) => {
  const table = searchTable(locale)
  return {
    insert: db.prepare(
      `INSERT INTO ${table} (rowid, title, headings, summary, body, collection)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    remove: db.prepare(`DELETE FROM ${table} WHERE rowid = ?`),
  }
}

/** Writes the full-text index (`tables.ts`): one table per language. */
export function createSearchIndexWriter(db: Connection) {
  const statements = new Map(localeCodes.map((code) => [code, prepareStatements(db, code)]))
  const learnWords = createVocabularyWriter(db)
  return {
    /** `tokens`: see `tokenizeFields`. */
    save(key: number, locale: LocaleCode, tokens: SearchFields): void {
      const { title, headings, summary, body, collection } = tokens
      const columns = [title, headings, summary, body]
      statements.get(locale)?.insert.run(key, ...columns, collection)
      for (const column of columns) learnWords(locale, column)
    },
    remove(key: number, locale: LocaleCode): void {
      statements.get(locale)?.remove.run(key)
    },
  }
}

/**
 * Adds the words of indexed texts to a language's vocabulary. Words are never removed: one that is
 * in no text any more costs a look-up and is not offered.
 */
function createVocabularyWriter(db: Connection): (locale: LocaleCode, tokens: string) => void {
  const insert = db.prepare('INSERT OR IGNORE INTO vocabulary (locale, word) VALUES (?, ?)')
  const wordsOf = db.prepare<[string], { word: string }>(
    'SELECT word FROM vocabulary WHERE locale = ?',
  )
  const vocabulary = new Map<LocaleCode, Set<string>>()
  return (locale, tokens) => {
    const words = vocabulary.get(locale) ?? new Set(wordsOf.all(locale).map(({ word }) => word))
    vocabulary.set(locale, words)
    for (const word of tokens.split(' ')) {
      if (words.has(word) || words.size >= maxVocabulary || !vocabularyWord.test(word)) continue
      words.add(word)
      insert.run(locale, word)
    }
  }
}
