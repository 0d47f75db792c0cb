import { LRUCache } from 'lru-cache'
import { locales, type LocaleCode } from '../../shared/i18n/locales'
import { fold } from './fold-text'

const segmenters = new Map<LocaleCode, Intl.Segmenter>()
/**
 * The words of the texts that were split last, by language and text. Each text of an article is
 * split twice: to find related articles, and for the search index.
 */
const segmented = new LRUCache<string, readonly string[]>({ max: 5000 })

/** Words of a text that is written without spaces, by the language's dictionary. */
export function segmentWords(text: string, locale: LocaleCode): readonly string[] {
  const key = `${locale} ${text}`
  const known = segmented.get(key)
  if (known) return known
  const segmenter =
    segmenters.get(locale) ?? new Intl.Segmenter(locales[locale].language, { granularity: 'word' })
  segmenters.set(locale, segmenter)
  const words = Array.from(segmenter.segment(text), ({ segment }) => segment)
  segmented.set(key, words)
  return words
}

// Scripts whose words cannot be found by splitting at spaces. Korean has spaces, but its particles
// are attached to the words.
const spacelessScripts = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Hang}]'
const spacelessLetter = `[${spacelessScripts}&&[\\p{L}\\p{M}\\p{N}]]`
const runPattern = new RegExp(
  `(${spacelessLetter}+)|([[\\p{L}\\p{N}\\p{M}]--${spacelessLetter}]+)`,
  'gv',
)
/** Finds the punctuation of these scripts too. */
const spacelessPattern = new RegExp(spacelessScripts, 'u')
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu

/** A piece of folded text: one word, or a run of letters of a script without spaces. */
type Run = { text: string; spaceless: boolean }

/** Words and runs of a folded text, split at everything that is neither a letter nor a digit. */
export function splitRuns(folded: string): Run[] {
  // Most texts have spaces between their words. A simpler pattern finds these words in a quarter
  // of the time.
  if (!spacelessPattern.test(folded))
    return (folded.match(wordPattern) ?? []).map((text) => ({ text, spaceless: false }))
  return Array.from(folded.matchAll(runPattern), ([text, spacelessRun]) => ({
    text,
    spaceless: spacelessRun !== undefined,
  }))
}

/** Overlapping pairs of letters; they match even where query and text are segmented differently. */
export const letterPairs = (letters: readonly string[]): string[] =>
  letters.slice(1).map((letter, index) => (letters[index] ?? '') + letter)

/** Longer words are addresses and the like, which are not searched for. */
const maxWordLength = 40

function tokenizeSpaceless(text: string, locale: LocaleCode): string[] {
  const letters = Array.from(text)
  // The pairs keep their order, so that a phrase of pairs matches any part of the run. The last
  // letter follows them, for queries of one letter.
  const words = segmentWords(text, locale).filter(
    (word) => word.length > 2 && word.length <= maxWordLength,
  )
  return [...letterPairs(letters), letters.at(-1) ?? '', ...words]
}

/**
 * What the full-text index stores for a text: folded words, separated by spaces. For Chinese,
 * Japanese, Thai and Korean these are overlapping pairs of letters, then the words that
 * `Intl.Segmenter` finds.
 */
export function tokenizeForIndex(text: string, locale: LocaleCode): string {
  const tokens: string[] = []
  for (const { text: run, spaceless } of splitRuns(fold(text)))
    if (spaceless) tokens.push(...tokenizeSpaceless(run, locale))
    else tokens.push(run.slice(0, maxWordLength))
  return tokens.join(' ')
}

/**
 * Reading time in whole minutes, at least one: 220 words a minute, or 450 letters (Thai: 900) in
 * scripts that are not counted by words.
 */
export function readingMinutes(text: string, locale: LocaleCode): number {
  const countsLetters = locales[locale].spaceless || locale === 'ko'
  const minutes = countsLetters
    ? text.replace(/\s/g, '').length / (locale === 'th' ? 900 : 450)
    : text.split(/\s+/).length / 220
  return Math.max(1, Math.round(minutes))
}
