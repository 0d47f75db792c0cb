import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { fold } from './fold-text'

const segmenters = new Map<LocaleCode, Intl.Segmenter>()

/** Words of a run of letters that is written without spaces, by the language's dictionary. */
export function segmentsOf(run: string, locale: LocaleCode): string[] {
  const segmenter =
    segmenters.get(locale) ?? new Intl.Segmenter(locales[locale].language, { granularity: 'word' })
  segmenters.set(locale, segmenter)
  return Array.from(segmenter.segment(run), ({ segment }) => segment)
}

// Scripts whose words the index cannot find by spaces. Korean has spaces, but its particles cling to the words.
const spaceless =
  '[[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Hang}]&&[\\p{L}\\p{M}\\p{N}]]'
const runs = new RegExp(`(${spaceless}+)|([[\\p{L}\\p{N}\\p{M}]--${spaceless}]+)`, 'gv')

/** A piece of folded text: a word between spaces, or a run of letters without any. */
export type Run = { text: string; spaceless: boolean }

/** Words and runs of a folded text; whatever is no letter and no digit parts them. */
export const runsOf = (folded: string): Run[] =>
  Array.from(folded.matchAll(runs), ([text, letters]) => ({
    text,
    spaceless: letters !== undefined,
  }))

/** Overlapping pairs of letters: found even where the dictionary cuts query and text differently. */
export const pairsOf = (letters: readonly string[]): string[] =>
  letters.slice(1).map((letter, index) => (letters[index] ?? '') + letter)

/** Words longer than this are addresses and the like: nobody types them. */
const longestWord = 40

function tokensOf({ text, spaceless: letterRun }: Run, locale: LocaleCode): string[] {
  if (!letterRun) return [text.slice(0, longestWord)]
  const letters = Array.from(text)
  // Pairs stand in their order, so that a phrase of pairs finds any part of the run; the last letter ends them for a query of one letter.
  const words = segmentsOf(text, locale).filter(
    (word) => word.length > 2 && word.length <= longestWord,
  )
  return [...pairsOf(letters), letters.at(-1) ?? '', ...words]
}

/**
 * What the full-text index stores for a text: folded words, parted by spaces; of Chinese, Japanese, Thai and Korean the overlapping pairs
 * of letters, then the words that `Intl.Segmenter` finds.
 */
export const indexText = (text: string, locale: LocaleCode): string =>
  runsOf(fold(text))
    .flatMap((run) => tokensOf(run, locale))
    .join(' ')

/** Reading time in whole minutes, at least one: by words, or by letters where words have no spaces. */
export function readingMinutes(text: string, locale: LocaleCode): number {
  const byLetters = locales[locale].spaceless || locale === 'ko'
  const count = byLetters
    ? text.replace(/\s/g, '').length / (locale === 'th' ? 900 : 450)
    : text.split(/\s+/).length / 220
  return Math.max(1, Math.round(count))
}
