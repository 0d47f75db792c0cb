import { letterPairs } from '../content/search-text'
import type { Term } from './read-query'

/**
 * An FTS5 string. Terms are folded letters and digits only, so they cannot contain FTS5 syntax;
 * the quotes make its keywords (`AND`, `OR`, `NOT`) plain words.
 */
const quote = (token: string): string => `"${token}"`
const quotePrefix = (token: string): string => `"${token}"*`

/** Only the beginning of a longer run of letters is searched for. */
const maxRunLength = 16

/**
 * A run of letters as a phrase of its overlapping pairs, which matches wherever the letters follow
 * each other. A single letter matches all pairs that begin with it.
 */
function lettersPhrase(text: string): string {
  const letters = Array.from(text).slice(0, maxRunLength)
  return letters.length < 2 ? quotePrefix(text) : quote(letterPairs(letters).join(' '))
}

/** Matches the term as it was typed. */
export function matchExactly({ kind, text, unfinished }: Term): string {
  if (kind === 'word') return unfinished ? quotePrefix(text) : quote(text)
  return Array.from(text).length > 2
    ? `(${quote(text)} OR ${lettersPhrase(text)})`
    : lettersPhrase(text)
}

/**
 * The part of a word that other endings share: `профил` of `профили` and `профиль`, `proxi` of
 * `proxies` and `proxied`. Null where the word is too short to tell.
 */
export function stemOf({ kind, text }: Term): string | null {
  const letters = Array.from(text)
  if (kind === 'letters') return letters.length > 2 ? letters.slice(0, -1).join('') : null
  if (letters.length < 3 || /\p{N}/u.test(text)) return null
  return letters.slice(0, letters.length - endingLength(text, letters.length)).join('')
}

function endingLength(text: string, length: number): number {
  if (length > 6) return text.endsWith('ing') ? 3 : 2
  return length > 4 ? 1 : 0
}

/** Matches the term, the same word with another ending, or one of its corrections. */
export function matchLoosely(term: Term, corrections: readonly string[]): string {
  const stem = stemOf(term)
  const alternatives = [matchExactly(term)]
  if (stem !== null)
    alternatives.push(term.kind === 'letters' ? lettersPhrase(stem) : quotePrefix(stem))
  return `(${anyOf([...alternatives, ...corrections.map(quote)])})`
}

export const allOf = (expressions: readonly string[]): string => expressions.join(' AND ')
export const anyOf = (expressions: readonly string[]): string => expressions.join(' OR ')
export const inTitle = (expression: string): string => `title : (${expression})`
/** Limits a match to the title, the headings and the id, which the index stores with them. */
export const inTitleOrHeadings = (expression: string): string =>
  `{title headings} : (${expression})`

/** The collections that are searched: one, or all except some. */
export type CollectionFilter = { only: string } | { except: readonly string[] }

/**
 * Limits a match to some collections. It names the excluded ones, not the included: the ranking
 * function reads all rows of every phrase of a query, and the included collections have nearly all
 * rows.
 */
export function inCollections(expression: string, filter: CollectionFilter): string {
  if ('only' in filter) return `collection : ${quote(filter.only)} AND (${expression})`
  if (filter.except.length === 0) return expression
  return `(${expression}) NOT collection : (${anyOf(filter.except.map(quote))})`
}
