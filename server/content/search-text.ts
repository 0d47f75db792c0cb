import { locales, type LocaleCode } from '../../shared/i18n/locales'

const segmenters = new Map<LocaleCode, Intl.Segmenter>()
const needsSegments = (locale: LocaleCode): boolean => locales[locale].spaceless || locale === 'ko'

function words(text: string, locale: LocaleCode): string[] {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locales[locale].language, { granularity: 'word' })
  segmenters.set(locale, segmenter)
  return Array.from(segmenter.segment(text)).filter((part) => part.isWordLike).map((part) => part.segment)
}

/** Overlapping pairs of letters: found even where the dictionary cut query and text differently. */
function pairs(word: string): string[] {
  const letters = Array.from(word)
  return letters.length < 3 ? [] : letters.slice(1).map((letter, index) => (letters[index] ?? '') + letter)
}

/**
 * What the full-text index stores for a text: the text itself where words have spaces; words by `Intl.Segmenter` and
 * their letter pairs in Chinese, Japanese, Thai and Korean, whose words the index could not find otherwise.
 */
export function indexText(text: string, locale: LocaleCode): string {
  if (!needsSegments(locale)) return text
  return words(text, locale).flatMap((word) => (/^[\p{ASCII}]+$/u.test(word) ? [word] : [word, ...pairs(word)])).join(' ')
}

/** Reading time in whole minutes, at least one: by words, or by letters where words have no spaces. */
export function readingMinutes(text: string, locale: LocaleCode): number {
  const count = needsSegments(locale) ? text.replace(/\s/g, '').length / (locale === 'th' ? 900 : 450) : text.split(/\s+/).length / 220
  return Math.max(1, Math.round(count))
}
