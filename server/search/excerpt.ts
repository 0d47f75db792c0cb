import { foldWithOffsets } from '../content/fold-text'

/**
 * Folded text to highlight. `word`: only as a whole word; `prefix`: at the start of a word;
 * `anywhere`: also inside words.
 */
export type Highlight = { text: string; match: 'word' | 'prefix' | 'anywhere' }
/** `marks` are `[start, end]` offsets in UTF-16 units of the excerpt. */
type Excerpt = { excerpt: string; marks: Array<[number, number]> }

/** Length of an excerpt in letters; Chinese and Japanese letters are twice as wide. */
const excerptLength = { narrow: 180, wide: 90 }
/** Part of an excerpt before its first mark. */
const leadingPart = 0.3
/** A description up to this length is shown whole. */
const maxWholeDescription = 220
const wideLetter = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u
const wordLetter = /[\p{L}\p{N}\p{M}]/u
/** Only the first part of a longer text is searched for a good excerpt. */
const maxTextLength = 20_000
/** Per highlighted text. */
const maxMatches = 60

type Match = { start: number; end: number; highlight: number }

const isWordLetterAt = (text: string, offset: number): boolean =>
  offset < text.length && wordLetter.test(text.charAt(offset))

/** End of a match at an offset, extended to the end of the word; null where it does not match. */
function matchEnd(text: string, start: number, { text: word, match }: Highlight): number | null {
  let end = start + word.length
  if (match === 'anywhere') return end
  if (start > 0 && isWordLetterAt(text, start - 1)) return null
  if (match === 'word' && isWordLetterAt(text, end)) return null
  while (isWordLetterAt(text, end)) end += 1
  return end
}

function findMatches(text: string, highlights: readonly Highlight[]): Match[] {
  const folded = foldWithOffsets(text)
  const originalOffset = (offset: number): number =>
    folded.offsets ? (folded.offsets[offset] ?? text.length) : offset
  const matches: Match[] = []
  for (const [index, highlight] of highlights.entries()) {
    let count = 0
    let start = folded.text.indexOf(highlight.text)
    while (start >= 0 && count < maxMatches) {
      const end = matchEnd(folded.text, start, highlight)
      if (end !== null) {
        count += 1
        matches.push({
          start: originalOffset(start),
          end: originalOffset(end),
          highlight: index,
        })
      }
      start = folded.text.indexOf(highlight.text, start + highlight.text.length)
    }
  }
  return matches.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The first window of a length that contains the most different highlights. */
function findBestWindow(
  matches: readonly Match[],
  length: number,
): { start: number; highlights: number } {
  let best = { start: 0, highlights: 0 }
  for (const [index, { start }] of matches.entries()) {
    const found = new Set<number>()
    for (let next = index; next < matches.length; next += 1) {
      const match = matches[next]
      if (!match || match.end > start + length) break
      found.add(match.highlight)
    }
    if (found.size > best.highlights) best = { start, highlights: found.size }
  }
  return best
}

const isBreak = (character: string): boolean => /[\s。、，．！？；：]/u.test(character)

/** Moves a cut to the next gap between words within reach, and never into a surrogate pair. */
function adjustCut(text: string, offset: number, reach: number): number {
  if (offset <= 0) return 0
  if (offset >= text.length) return text.length
  for (let cut = offset; cut < Math.min(text.length, offset + reach); cut += 1)
    if (isBreak(text.charAt(cut - 1))) return cut
  const code = text.charCodeAt(offset)
  return code >= 0xdc00 && code <= 0xdfff ? offset + 1 : offset
}

function cutExcerpt(
  text: string,
  matches: readonly Match[],
  from: number,
  length: number,
): Excerpt {
  const cut = adjustCut(text, from, Math.ceil(length / 8))
  const cutEnd = adjustCut(text, cut + length, 12)
  const body = text.slice(cut, cutEnd)
  const start = cut + body.length - body.trimStart().length
  const end = cut + body.trimEnd().length
  const prefix = cut > 0 ? '…' : ''
  const shift = start - prefix.length
  const marks: Array<[number, number]> = []
  for (const match of matches) {
    if (match.start < start || match.end > end) continue
    const last = marks.at(-1)
    if (last && match.start - shift <= last[1]) last[1] = Math.max(last[1], match.end - shift)
    else marks.push([match.start - shift, match.end - shift])
  }
  return { excerpt: `${prefix}${body.trim()}${cutEnd < text.length ? '…' : ''}`, marks }
}

/** Spaces replace line breaks one by one, so that offsets stay the same. */
const toOneLine = (text: string): string => text.normalize('NFC').replace(/\s/g, ' ')

/**
 * The part of a page that shows best why it was found: its description, unless a part of its text
 * contains more of the highlights.
 */
export function createExcerpt(
  description: string,
  text: string,
  highlights: readonly Highlight[],
): Excerpt {
  const summary = toOneLine(description)
  const body = toOneLine(text.slice(0, maxTextLength))
  const length = wideLetter.test(summary) ? excerptLength.wide : excerptLength.narrow
  const summaryMatches = findMatches(summary, highlights)
  const bodyMatches = findMatches(body, highlights)
  const best = findBestWindow(bodyMatches, Math.floor(length * (1 - leadingPart)))
  const inSummary = new Set(summaryMatches.map(({ highlight }) => highlight)).size
  if (inSummary < best.highlights)
    return cutExcerpt(body, bodyMatches, best.start - Math.floor(length * leadingPart), length)
  const isShort = summary.length <= maxWholeDescription
  return cutExcerpt(summary, summaryMatches, 0, Math.max(length, isShort ? summary.length : 0))
}
