import type { LocaleCode } from '../../shared/i18n/locales'
import { fold } from '../content/fold-text'
import { runsOf, segmentsOf } from '../content/search-text'

/**
 * A part of a query that a page must hold. `word`: between spaces. `letters`: inside text without spaces, or inside a Korean word.
 * `unfinished`: the visitor may still be typing it, so its beginning is enough.
 */
export type Term = { kind: 'word' | 'letters'; text: string; unfinished: boolean }

/** Further words of a query are left out of account: nobody means them all, and each costs a look-up. */
const mostTerms = 8
/** A beginning of one letter says something in Chinese, Japanese and Korean only. */
const shortestBeginning = 2
const wholeSyllables = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u
const letters = (text: string, unfinished: boolean): Term => ({ kind: 'letters', text, unfinished })

/** Words of a run without spaces. Single letters in between join words and name nothing ("の", "的"); one at the end begins the next word. */
function readRun(run: string, locale: LocaleCode, last: boolean): Term[] {
  const segments = segmentsOf(run, locale)
  const terms = segments.flatMap((segment, index): Term[] => {
    const atEnd = last && index === segments.length - 1
    if (Array.from(segment).length > 1) return [letters(segment, atEnd)]
    return atEnd && wholeSyllables.test(segment) ? [letters(segment, true)] : []
  })
  return terms.length > 0 ? terms : [letters(run, last)]
}

/** Words of one or two letters, and single letters of Chinese, stand everywhere and say little. */
export const isTelling = ({ kind, text }: Term): boolean =>
  Array.from(text).length > (kind === 'word' ? 2 : 1)

/** A query in two readings: `whole` takes text without spaces as one piece, `terms` parts it into words. */
export type Query = { whole: readonly Term[]; terms: readonly Term[] }

/** Reads a query as somebody typed it, each term once; without terms when it holds neither letter nor digit. */
export function readQuery(query: string, locale: LocaleCode): Query {
  const folded = fold(query)
  const runs = runsOf(folded)
  // A space after the last word says that it is finished.
  const open = /[\p{L}\p{N}\p{M}]$/u.test(folded)
  const read = (readLetters: (text: string, last: boolean) => Term[]): Term[] => {
    const terms = runs.flatMap(({ text, spaceless }, index): Term[] => {
      const last = open && index === runs.length - 1
      return spaceless
        ? readLetters(text, last)
        : [{ kind: 'word', text, unfinished: last && text.length >= shortestBeginning }]
    })
    return terms
      .filter(({ text }, index) => terms.findIndex((other) => other.text === text) === index)
      .slice(0, mostTerms)
  }
  return {
    whole: read((text, last) => [letters(text, last)]),
    terms: read((text, last) => readRun(text, locale, last)),
  }
}
