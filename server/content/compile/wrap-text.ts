import type { LocaleCode } from '../../../shared/i18n/locales'
import { locales } from '../../../shared/i18n/locales'
import { segmentWords } from '../search-text'

/**
 * Widths of letters in em. The visitor's fonts are not known when an article is compiled, so these
 * are at least as wide as in common system fonts. The first pattern that matches counts.
 */
const letterWidths: ReadonlyArray<readonly [RegExp, number]> = [
  [/^[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\uff00-\uff60]/u, 1],
  [/^[\s.,:;!|'’iljI/()[\]·]/u, 0.34],
  [/^\p{Mc}/u, 0.45],
  [/^[mwMWмшщжюыфШЩЖЮМФ@%—…]/u, 0.92],
  [/^\p{Lu}/u, 0.72],
  [/^\p{sc=Deva}/u, 0.68],
  [/^\p{sc=Cyrl}/u, 0.62],
  [/^\p{sc=Thai}/u, 0.6],
]
const defaultWidth = 0.57
const monospacedWidth = 0.62
const boldFactor = 1.06

const widthOf = (letter: string): number =>
  letterWidths.find(([letters]) => letters.test(letter))?.[1] ?? defaultWidth

/** Estimated width of a text, in em. */
export function emWidth(
  text: string,
  { bold = false, mono = false }: { bold?: boolean; mono?: boolean } = {},
): number {
  let sum = 0
  for (const letter of text.normalize('NFC')) sum += mono ? monospacedWidth : widthOf(letter)
  return bold ? sum * boldFactor : sum
}

/**
 * Pieces between which a line may break: words with the space after them; in Chinese, Japanese and
 * Thai the dictionary's words, with punctuation attached to its word.
 */
function splitAtBreaks(text: string, locale: LocaleCode): string[] {
  if (!locales[locale].spaceless) return text.split(/(?<=\s)/)
  const pieces: string[] = []
  for (const segment of segmentWords(text, locale)) {
    const isPunctuation = /^[\p{P}\s]+$/u.test(segment)
    const isOpening = /^[\p{Ps}\p{Pi}]/u.test(segment)
    const followsOpening = /[\p{Ps}\p{Pi}]$/u.test(pieces.at(-1) ?? '')
    const isAttached = (isPunctuation && !isOpening) || followsOpening
    if (pieces.length > 0 && isAttached) pieces.push(`${pieces.pop() ?? ''}${segment}`)
    else pieces.push(segment)
  }
  return pieces
}

function fillLines(
  pieces: readonly string[],
  width: number,
  measure: (text: string) => number,
): string[] {
  const lines: string[] = []
  for (const piece of pieces) {
    const line = lines.at(-1)
    if (line !== undefined && measure((line + piece).trimEnd()) <= width)
      lines[lines.length - 1] = line + piece
    else lines.push(piece)
  }
  return lines.map((line) => line.trim())
}

/**
 * Wraps a text into as few lines of `width` (em) as possible, with lines of similar width. A word
 * that is wider than a line gets its own line.
 */
export function wrapText(
  text: string,
  width: number,
  locale: LocaleCode,
  style: { bold?: boolean; mono?: boolean } = {},
): string[] {
  const measure = (part: string): number => emWidth(part, style)
  const pieces = splitAtBreaks(text.trim(), locale)
  let best = fillLines(pieces, width, measure)
  // Narrower lines have more similar widths; their number must not grow.
  let narrower = width * 0.95
  while (best.length > 1 && narrower > width * 0.4) {
    const lines = fillLines(pieces, narrower, measure)
    if (lines.length > best.length || lines.some((line) => measure(line) > width)) break
    best = lines
    narrower -= width * 0.05
  }
  return best
}
