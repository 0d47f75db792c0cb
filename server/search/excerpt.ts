import { foldWithOffsets } from '../content/fold-text'

/** What is marked: folded text; `whole` = only as a word, `beginning` = at the start of a word, `inside` = anywhere. */
export type Mark = { text: string; fits: 'whole' | 'beginning' | 'inside' }
export type Excerpt = {
  excerpt: string
  /** `[start, end]` in UTF-16 units of the excerpt. */ marks: Array<[number, number]>
}

/** Length of an excerpt, and of what stands before its first mark, in letters; letters of Chinese and Japanese say twice as much. */
const size = { narrow: 180, wide: 90 }
const lead = 0.3
const wideLetters = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u
const partOfWord = /[\p{L}\p{N}\p{M}]/u
/** Longer texts are looked through in their first part: the result says where to read on, and that is enough. */
const longestText = 20_000
const mostPlaces = 60

type Place = { start: number; end: number; mark: number }

function placesOf(text: string, wanted: readonly Mark[]): Place[] {
  const folded = foldWithOffsets(text)
  const originOf = (at: number): number =>
    folded.offsets ? (folded.offsets[at] ?? text.length) : at
  const places: Place[] = []
  for (const [index, { text: word, fits }] of wanted.entries()) {
    let count = 0
    for (
      let at = folded.text.indexOf(word);
      at >= 0 && count < mostPlaces;
      at = folded.text.indexOf(word, at + word.length)
    ) {
      let end = at + word.length
      if (fits !== 'inside') {
        if (at > 0 && partOfWord.test(folded.text.charAt(at - 1))) continue
        const goesOn = (): boolean =>
          end < folded.text.length && partOfWord.test(folded.text.charAt(end))
        if (fits === 'whole' && goesOn()) continue
        while (goesOn()) end += 1
      }
      places.push({ start: originOf(at), end: originOf(end), mark: index })
      count += 1
    }
  }
  return places.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** The first of the windows that hold the most different marks. */
function bestStart(places: readonly Place[], length: number): { start: number; found: number } {
  let best = { start: 0, found: 0 }
  for (const [index, { start }] of places.entries()) {
    const found = new Set<number>()
    for (
      let next = index;
      next < places.length && (places[next]?.end ?? 0) <= start + length;
      next += 1
    )
      found.add(places[next]?.mark ?? 0)
    if (found.size > best.found) best = { start, found: found.size }
  }
  return best
}

const isBreak = (character: string): boolean => /[\s。、，．！？；：]/u.test(character)

/** Moves a cut to the next gap between words within reach, and never into a character. */
function cutAt(text: string, wished: number, reach: number): number {
  if (wished <= 0) return 0
  if (wished >= text.length) return text.length
  for (let at = wished; at < Math.min(text.length, wished + reach); at += 1)
    if (isBreak(text.charAt(at - 1))) return at
  const code = text.charCodeAt(wished)
  return code >= 0xdc00 && code <= 0xdfff ? wished + 1 : wished
}

function cut(text: string, places: readonly Place[], from: number, length: number): Excerpt {
  const start = cutAt(text, from, Math.ceil(length / 8))
  const end = cutAt(text, start + length, 12)
  const body = text.slice(start, end)
  const trimmed = body.trimEnd()
  const before = start > 0 ? '…' : ''
  const skipped = trimmed.length - trimmed.trimStart().length
  const shift = start + skipped - before.length
  const limit = start + trimmed.length
  const marks: Array<[number, number]> = []
  for (const place of places) {
    if (place.start < start + skipped || place.end > limit) continue
    const last = marks.at(-1)
    if (last && place.start - shift <= last[1]) last[1] = Math.max(last[1], place.end - shift)
    else marks.push([place.start - shift, place.end - shift])
  }
  return { excerpt: `${before}${trimmed.trimStart()}${end < text.length ? '…' : ''}`, marks }
}

/** The part of a page that shows best why it was found: its description when that says as much as any place of its text. */
export function excerptOf(description: string, text: string, wanted: readonly Mark[]): Excerpt {
  // Line breaks become spaces one by one, so that offsets stay what they are.
  const [about, whole] = [description, text.slice(0, longestText)].map((part) =>
    part.normalize('NFC').replace(/\s/g, ' '),
  ) as [string, string]
  const length = wideLetters.test(about) ? size.wide : size.narrow
  const inDescription = placesOf(about, wanted)
  const inText = placesOf(whole, wanted)
  const best = bestStart(inText, Math.floor(length * (1 - lead)))
  const described = new Set(inDescription.map(({ mark }) => mark)).size
  if (described >= best.found)
    return cut(about, inDescription, 0, Math.max(length, about.length <= 220 ? about.length : 0))
  return cut(whole, inText, best.start - Math.floor(length * lead), length)
}
