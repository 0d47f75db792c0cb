import type { LocaleCode } from '../../../shared/i18n/locales'
import { locales } from '../../../shared/i18n/locales'
import { segmentsOf } from '../search-text'

/**
 * Widths of letters in em, for fonts that nobody knows when a text is compiled: as wide as common system fonts draw them, rather wider. The first
 * row that fits counts.
 */
const widths: ReadonlyArray<readonly [RegExp, number]> = [
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
const usual = 0.57
const monospaced = 0.62

/** About how wide a text will be, in em. */
export function emWidth(
  text: string,
  { bold = false, mono = false }: { bold?: boolean; mono?: boolean } = {},
): number {
  let sum = 0
  for (const letter of text.normalize('NFC'))
    sum += mono ? monospaced : (widths.find(([letters]) => letters.test(letter))?.[1] ?? usual)
  return bold ? sum * 1.06 : sum
}

/** Pieces that may not be parted: words with what follows them; in Chinese, Japanese and Thai the dictionary's words, punctuation with the word before it. */
function piecesOf(text: string, locale: LocaleCode): string[] {
  if (!locales[locale].spaceless) return text.split(/(?<=\s)/)
  const pieces: string[] = []
  for (const segment of segmentsOf(text, locale)) {
    const clings = /^[\p{P}\s]+$/u.test(segment) && !/^[\p{Ps}\p{Pi}]/u.test(segment)
    const opened = /[\p{Ps}\p{Pi}]$/u.test(pieces.at(-1) ?? '')
    if (pieces.length > 0 && (clings || opened)) pieces.push(`${pieces.pop() ?? ''}${segment}`)
    else pieces.push(segment)
  }
  return pieces
}

function fill(
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

/** A text in as few lines of `width` (em) as it takes, and these as even as may be. A word that is wider than a line has one of its own. */
export function wrapText(
  text: string,
  width: number,
  locale: LocaleCode,
  look: { bold?: boolean; mono?: boolean } = {},
): string[] {
  const measure = (part: string): number => emWidth(part, look)
  const pieces = piecesOf(text.trim(), locale)
  let best = fill(pieces, width, measure)
  for (
    let narrower = width * 0.95;
    best.length > 1 && narrower > width * 0.4;
    narrower -= width * 0.05
  ) {
    const lines = fill(pieces, narrower, measure)
    if (lines.length > best.length || lines.some((line) => measure(line) > width)) break
    best = lines
  }
  return best
}
