import type { LocaleCode } from '../../shared/i18n/locales'
import type { Connection } from '../content/database'
import type { Term } from './read-query'

/** Mistakes that are corrected: none in a short word, two in a long one. */
function maxDistance(length: number): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}
/** From this length on, an unfinished word is also compared with the beginnings of longer words. */
const minUnfinishedLength = 5
/** Per mistyped word. */
const maxCorrections = 4
const correctable = /^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u

/**
 * Bit set of the letters in a word, hashed to 32 bits. Words whose bits differ too much are not
 * compared letter by letter.
 */
function signatureOf(word: string): number {
  let signature = 0
  for (let index = 0; index < word.length; index += 1)
    signature |= 1 << (word.charCodeAt(index) & 31)
  return signature
}
function countBits(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/**
 * Damerau-Levenshtein distance (optimal string alignment): letters inserted, deleted, replaced or
 * swapped with their neighbor. Returns at most `max + 1`. With `isPrefix`, letters of `word` after
 * the best match are free.
 */
function distance(typed: string, word: string, max: number, isPrefix = false): number {
  const columns = word.length
  let twoRowsAbove: number[] = []
  let rowAbove = Array.from({ length: columns + 1 }, (_, index) => index)
  for (let row = 1; row <= typed.length; row += 1) {
    const current = [row]
    let rowMinimum = row
    for (let column = 1; column <= columns; column += 1) {
      const substitution = typed[row - 1] === word[column - 1] ? 0 : 1
      let value = Math.min(
        (rowAbove[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (rowAbove[column - 1] ?? 0) + substitution,
      )
      if (
        row > 1 &&
        column > 1 &&
        typed[row - 1] === word[column - 2] &&
        typed[row - 2] === word[column - 1]
      )
        value = Math.min(value, (twoRowsAbove[column - 2] ?? 0) + 1)
      current.push(value)
      rowMinimum = Math.min(rowMinimum, value)
    }
    if (rowMinimum > max) return max + 1
    twoRowsAbove = rowAbove
    rowAbove = current
  }
  const result = isPrefix ? Math.min(...rowAbove) : (rowAbove[columns] ?? max + 1)
  return Math.min(result, max + 1)
}

type Vocabulary = { words: string[]; signatures: number[]; lastKey: number }
type Candidate = { word: string; distance: number; lengthDifference: number }

/** Reads the vocabulary of a language once, and afterwards only its new words. */
function createVocabularyReader(db: Connection): (locale: LocaleCode) => Vocabulary {
  const newerWords = db.prepare<[string, number], { key: number; word: string }>(
    'SELECT key, word FROM vocabulary WHERE locale = ? AND key > ? ORDER BY key',
  )
  const vocabularies = new Map<LocaleCode, Vocabulary>()
  return (locale) => {
    const vocabulary = vocabularies.get(locale) ?? { words: [], signatures: [], lastKey: 0 }
    vocabularies.set(locale, vocabulary)
    for (const { key, word } of newerWords.all(locale, vocabulary.lastKey)) {
      vocabulary.words.push(word)
      vocabulary.signatures.push(signatureOf(word))
      vocabulary.lastKey = key
    }
    return vocabulary
  }
}

function findCandidates(
  { words, signatures }: Vocabulary,
  text: string,
  max: number,
  isPrefix: boolean,
): Candidate[] {
  const signature = signatureOf(text)
  const found: Candidate[] = []
  // Runs over up to 200,000 words, so it is an indexed loop.
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const extraLetters = word.length - text.length
    if (extraLetters < -max || (extraLetters > max && !isPrefix)) continue
    // Each mistake changes at most two bits. While a word is being typed, additional letters of a
    // longer word are no mistakes.
    const other = signatures[index] ?? 0
    if (countBits(signature & ~other) > max) continue
    if (!isPrefix && countBits(other & ~signature) > max) continue
    const far = distance(text, word, max, isPrefix)
    if (far <= max && word !== text)
      found.push({ word, distance: far, lengthDifference: Math.abs(extraLetters) })
  }
  return found
}

/** Corrections of a mistyped word from the language's own texts, nearest first. */
export function createCorrector(db: Connection): (term: Term, locale: LocaleCode) => string[] {
  const vocabularyOf = createVocabularyReader(db)
  return ({ kind, text, unfinished }, locale) => {
    const max = maxDistance(text.length)
    if (kind !== 'word' || max === 0 || !correctable.test(text)) return []
    const isPrefix = unfinished && text.length >= minUnfinishedLength
    return findCandidates(vocabularyOf(locale), text, max, isPrefix)
      .sort(
        (a, b) =>
          a.distance - b.distance ||
          a.lengthDifference - b.lengthDifference ||
          (a.word < b.word ? -1 : 1),
      )
      .slice(0, maxCorrections)
      .map(({ word }) => word)
  }
}
