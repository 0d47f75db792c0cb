import { pairsOf } from '../content/search-text'
import type { Term } from './read-query'

/** Everything comes folded and holds letters and digits alone, so nothing of a query can mean something to FTS5; quotes keep its keywords words. */
const quoted = (token: string, beginning = false): string => `"${token}"${beginning ? '*' : ''}`

/** A run of letters longer than this is looked for by its beginning. */
const longestRun = 16

/** Letters as a phrase of their overlapping pairs: it fits wherever they stand in a row. One letter fits all pairs that begin with it. */
function phrase(text: string): string {
  const row = Array.from(text).slice(0, longestRun)
  return row.length < 2 ? quoted(text, true) : quoted(pairsOf(row).join(' '))
}

/** The term as it was typed. */
export function strictly({ kind, text, unfinished }: Term): string {
  if (kind === 'word') return quoted(text, unfinished)
  return Array.from(text).length > 2 ? `(${quoted(text)} OR ${phrase(text)})` : phrase(text)
}

/** What of a word stays when its ending changes: `профили` and `профиль`, `proxies` and `proxied`. Null where it is too short to tell. */
export function stemOf({ kind, text }: Term): string | null {
  const row = Array.from(text)
  if (kind === 'letters') return row.length > 2 ? row.slice(0, -1).join('') : null
  if (row.length < 3 || /\p{N}/u.test(text)) return null
  return row
    .slice(
      0,
      row.length > 6 && text.endsWith('ing')
        ? -3
        : row.length > 6
          ? -2
          : row.length > 4
            ? -1
            : undefined,
    )
    .join('')
}

/** The term, another ending of it, or one of the words it may have been meant for. */
export function loosely(term: Term, corrections: readonly string[]): string {
  const stem = stemOf(term)
  const ending = stem === null ? [] : [term.kind === 'letters' ? phrase(stem) : quoted(stem, true)]
  return `(${[strictly(term), ...ending, ...corrections.map((word) => quoted(word))].join(' OR ')})`
}

export const allOf = (expressions: readonly string[]): string => expressions.join(' AND ')
export const anyOf = (expressions: readonly string[]): string => expressions.join(' OR ')
export const inTitle = (expression: string): string => `title : (${expression})`
/** In what a page is called: its title, its headings, its id. */
export const inNames = (expression: string): string => `{title headings} : (${expression})`
/** Collections that are searched: one alone, or all but some. */
export type Places = { only: string } | { except: readonly string[] }
/**
 * Within some collections only. What is left out is named and not what stays: the index's ranking walks through all rows of every phrase of a
 * query, and the collections that stay hold nearly all rows.
 */
export function inPlaces(expression: string, places: Places): string {
  if ('only' in places) return `place : ${quoted(places.only)} AND (${expression})`
  return places.except.length === 0
    ? expression
    : `(${expression}) NOT place : (${anyOf(places.except.map((place) => quoted(place)))})`
}
