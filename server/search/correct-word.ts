import type { LocaleCode } from '../../shared/i18n/locales'
import type { Connection } from '../content/database'
import type { Term } from './read-query'

/** Mistakes that are forgiven: none in a short word, two in a long one. */
const allowance = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2)
/** A word that is still being typed is short of its end, so its beginning must say enough. */
const shortestUnfinished = 5
/** Words offered for one mistake. */
const mostCorrections = 4
const correctable = /^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u

/** Which of 32 groups of letters a word holds: words that differ in many groups are never compared letter by letter. */
function signatureOf(word: string): number {
  let signature = 0
  for (let index = 0; index < word.length; index += 1)
    signature |= 1 << (word.charCodeAt(index) & 31)
  return signature
}
function bitsOf(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/**
 * Letters added, left out, replaced or exchanged with their neighbour between two words (Damerau-Levenshtein, optimal string alignment); more than `most` counts
 * as `most + 1`. With `beginning`, what `word` has beyond the best fit is free.
 */
export function distance(typed: string, word: string, most: number, beginning = false): number {
  const columns = word.length
  let before: number[] = []
  let above = Array.from({ length: columns + 1 }, (_, index) => index)
  for (let row = 1; row <= typed.length; row += 1) {
    const line = [row]
    let best = row
    for (let column = 1; column <= columns; column += 1) {
      const same = typed[row - 1] === word[column - 1] ? 0 : 1
      let value = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + same,
      )
      if (
        row > 1 &&
        column > 1 &&
        typed[row - 1] === word[column - 2] &&
        typed[row - 2] === word[column - 1]
      )
        value = Math.min(value, (before[column - 2] ?? 0) + 1)
      line.push(value)
      best = Math.min(best, value)
    }
    if (best > most) return most + 1
    before = above
    above = line
  }
  return Math.min(beginning ? Math.min(...above) : (above[columns] ?? most + 1), most + 1)
}

type Known = { words: string[]; signatures: number[]; last: number }

/**
 * Words of a language's texts that a mistyped word may have been meant for, nearest first. The vocabulary is read once a language and
 * then only what is new.
 */
export function createCorrector(db: Connection): (term: Term, locale: LocaleCode) => string[] {
  const newer = db.prepare<[string, number], { key: number; word: string }>(
    'SELECT key, word FROM vocabulary WHERE locale = ? AND key > ? ORDER BY key',
  )
  const vocabulary = new Map<LocaleCode, Known>()

  function vocabularyOf(locale: LocaleCode): Known {
    const known = vocabulary.get(locale) ?? { words: [], signatures: [], last: 0 }
    vocabulary.set(locale, known)
    for (const { key, word } of newer.all(locale, known.last)) {
      known.words.push(word)
      known.signatures.push(signatureOf(word))
      known.last = key
    }
    return known
  }

  return function corrections({ kind, text, unfinished }, locale) {
    const most = allowance(text.length)
    if (kind !== 'word' || most === 0 || !correctable.test(text)) return []
    const { words, signatures } = vocabularyOf(locale)
    const own = signatureOf(text)
    const beginning = unfinished && text.length >= shortestUnfinished
    const found: Array<{ word: string; far: number; longer: number }> = []
    for (let index = 0; index < words.length; index += 1) {
      const word = words[index] ?? ''
      const longer = word.length - text.length
      if (longer < -most || (longer > most && !beginning)) continue
      // Each mistake changes at most two groups; letters that a longer word has besides are no mistake while it is being typed.
      const other = signatures[index] ?? 0
      if (bitsOf(own & ~other) > most || (!beginning && bitsOf(other & ~own) > most)) continue
      const far = distance(text, word, most, beginning)
      if (far <= most && word !== text) found.push({ word, far, longer: Math.abs(longer) })
    }
    return found
      .sort((a, b) => a.far - b.far || a.longer - b.longer || (a.word < b.word ? -1 : 1))
      .slice(0, mostCorrections)
      .map(({ word }) => word)
  }
}
