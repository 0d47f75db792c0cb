import type { LocaleCode } from '../../shared/i18n/locales'
import { fold } from '../content/fold-text'
import { segmentWords, splitRuns } from '../content/search-text'

/**
 * A part of a query that a page must contain. `word`: a word between spaces. `letters`: letters
 * inside text without spaces, or inside a Korean word. `unfinished`: the visitor may still be
 * typing it, so its beginning is enough.
 */
export type Term = { kind: 'word' | 'letters'; text: string; unfinished: boolean }

/** Further terms are ignored: each costs a look-up, and a match of all of them is unlikely. */
const maxTerms = 8
/** Only in Chinese, Japanese and Korean is one letter enough to complete a word. */
const minPrefixLength = 2
const wholeSyllable = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u
const lettersTerm = (text: string, unfinished: boolean): Term => ({
  kind: 'letters',
  text,
  unfinished,
})

/**
 * The words of a run without spaces. Single letters between words are particles ("の", "的") and
 * left out; one at the end is the beginning of the next word.
 */
function splitRun(run: string, locale: LocaleCode, isLast: boolean): Term[] {
  const segments = segmentWords(run, locale)
  const terms = segments.flatMap((segment, index): Term[] => {
    const isUnfinished = isLast && index === segments.length - 1
    if (Array.from(segment).length > 1) return [lettersTerm(segment, isUnfinished)]
    return isUnfinished && wholeSyllable.test(segment) ? [lettersTerm(segment, true)] : []
  })
  return terms.length > 0 ? terms : [lettersTerm(run, isLast)]
}

/** Words of one or two letters and single Chinese letters are too frequent to be significant. */
const isSignificant = ({ kind, text }: Term): boolean =>
  Array.from(text).length > (kind === 'word' ? 2 : 1)

/** A query in two readings: `whole` keeps text without spaces together, `terms` splits it. */
export type Query = { whole: readonly Term[]; terms: readonly Term[] }

/** Reads a query, each term once. A query without letters and digits has no terms. */
export function readQuery(query: string, locale: LocaleCode): Query {
  const folded = fold(query)
  const runs = splitRuns(folded)
  // A space after the last word means that it is finished.
  const isLastUnfinished = /[\p{L}\p{N}\p{M}]$/u.test(folded)
  const read = (readLetters: (text: string, isLast: boolean) => Term[]): Term[] => {
    const terms = runs.flatMap(({ text, spaceless }, index): Term[] => {
      const isUnfinished = isLastUnfinished && index === runs.length - 1
      return spaceless
        ? readLetters(text, isUnfinished)
        : [{ kind: 'word', text, unfinished: isUnfinished && text.length >= minPrefixLength }]
    })
    return withoutRepeats(terms).slice(0, maxTerms)
  }
  return {
    whole: read((text, isLast) => [lettersTerm(text, isLast)]),
    terms: read((text, isLast) => splitRun(text, locale, isLast)),
  }
}

/** Terms without those whose text an earlier term has. */
export const withoutRepeats = (terms: readonly Term[]): Term[] =>
  terms.filter(({ text }, index) => terms.findIndex((other) => other.text === text) === index)

/** The significant terms; all of them where none is significant. */
export function significantTerms(terms: readonly Term[]): readonly Term[] {
  const significant = terms.filter(isSignificant)
  return significant.length > 0 ? significant : terms
}
